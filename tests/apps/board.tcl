#!/usr/bin/wish
# A Tk program of many widgets, without any accessibility tree. It writes down what its widgets saw, one JSON object a
# line on stdout; first the places of the widgets, in pixels of the screen.
proc say {event widget value} {
    puts "{\"event\": \"$event\", \"widget\": \"$widget\", \"value\": \"[string map {\\ \\\\ \" \\\" \n \\n} $value]\"}"
    flush stdout
}
wm title . "Tk board"
wm geometry . 700x520+200+100
menu .bar
menu .bar.actions -tearoff 0
.bar.actions add command -label "Count up" -command {say menu "Count up" picked}
.bar add cascade -label Actions -menu .bar.actions
. configure -menu .bar
button .send -text Send -command {say pressed Send ""}
checkbutton .wrap -text Wrap -variable wrap -command {say toggled Wrap $wrap}
scale .volume -orient horizontal -from 0 -to 100 -length 300 -variable volume -command {say value Volume}
listbox .fruit -height 4
.fruit insert end Apple Banana Cherry
bind .fruit <<ListboxSelect>> {say selected Fruit [.fruit get [.fruit curselection]]}
entry .name -textvariable name
trace add variable name write {apply {args {say text Name $::name}}}
text .long -width 60 -height 8 -yscrollcommand {apply {{first last} {say scrolled Long $first}}}
for {set line 0} {$line < 300} {incr line} {.long insert end "line $line\n"}
canvas .canvas -width 400 -height 60 -background white
.canvas create rectangle 10 10 50 50 -fill red -tags box
.canvas bind box <ButtonPress-1> {set from %x}
bind .canvas <ButtonRelease-1> {say dragged Box [expr {%x - $from}]}
button .later -text Later -command {after 700 {wm title . "Tk board: done"; say later Later done}}
pack .send .wrap .volume .fruit .name .long .canvas .later
bind . <Map> {after idle tell}
set told 0
proc tell {} {
    global told
    if {$told} return
    set told 1
    update
    foreach widget {send wrap volume fruit name long canvas later} {
        say place $widget "[winfo rootx .$widget] [winfo rooty .$widget] [winfo width .$widget] [winfo height .$widget]"
    }
    say place actions "[winfo rootx .] [expr {[winfo rooty .] - 22}] 60 20"
    say ready board ""
}
