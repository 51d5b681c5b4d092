/* SPDX-License-Identifier: Apache-2.0 */
/* What never reaches a log, as a table: each text with the part that must go and a part that must
 * stay. */
#include "desk/records/audit/redact.h"

#include <string.h>

#include "desk/records/records-limits.h"
#include "shared/base/json.h"
#include "shared/text/secret-patterns.h"

static const struct {
    const char *text, *gone, *stays;
} cases[] = {
    {"mysql -u root -phunter2 shop", "hunter2", "-u root"},
    {"mysqldump --host db -p'hun ter2' shop", "ter2", "shop"},
    {"mysql --password=hunter2 -e 'select 1'", "hunter2", "select 1"},
    {"mysql --password hunter2 shop", "hunter2", "shop"},
    {"mariadb-admin -uroot -phunter2 status", "hunter2", "status"},
    {"PGPASSWORD=hunter2 psql -h db", "hunter2", "psql -h db"},
    {"export MYSQL_PWD='hunter 2'; ls", "hunter", "ls"},
    {"psql 'postgres://joe:hunter2@db/shop'", "hunter2", "@db/shop"},
    {"curl -u joe:hunter2 https://x.org/a", "hunter2", "https://x.org/a"},
    {"curl -sSu joe:hunter2 https://x.org", "hunter2", "x.org"},
    {"curl --user joe:hunter2 https://x.org", "hunter2", "x.org"},
    {"curl --user=joe:hunter2 https://x.org", "hunter2", "x.org"},
    {"curl -H 'Authorization: Bearer abc.DEF-123' https://x.org", "abc.DEF-123", "x.org"},
    {"curl -H \"authorization: token 0123456789ab\" https://x.org", "0123456789ab", "x.org"},
    {"Authorization: Basic am9lOmh1bnRlcjI=", "am9lOmh1bnRlcjI", "Basic"},
    {"curl -H 'X-Api-Key: k-9-secret-9' x.org", "k-9-secret-9", "x.org"},
    {"curl -b 'a' -H 'Cookie: sid=s3ss10n; x=1' x.org", "s3ss10n", "x.org"},
    {"wget --http-password=hunter2 x.org", "hunter2", "x.org"},
    {"https://joe:hun:ter2@x.org/path", "ter2", "x.org/path"},
    {"git clone https://ghtokenvalue@x.org/a.git", "ghtokenvalue", "x.org/a.git"},
    {"https://x.org/cb?code=1&token=t0k3n&next=/home", "t0k3n", "next=/home"},
    {"https://x.org/?access_token=t0k3n#frag", "t0k3n", "x.org"},
    {"https://x.org/?api_key=t0k3n", "t0k3n", "x.org"},
    {"https://s3/x?X-Amz-Signature=deadbeef&a=b", "deadbeef", "a=b"},
    {"AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG aws s3 ls", "wJalrXUtnFEMI", "aws s3 ls"},
    {"aws configure set aws_access_key_id AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE", "aws"},
    {"see ghp_0123456789abcdefghijABCDEFGHIJ012345 there", "ghp_0123456789", "there"},
    {"github_pat_11ABCDEFG0123456789_abcdefghijklmnop", "11ABCDEFG0123456789", ""},
    {"glpat-abcdefghij0123456789 is it", "glpat-abcdef", "is it"},
    {"xoxb-123456789012-abcdefABCDEF", "123456789012", ""},
    {"OPENAI=sk-proj-abcdefghijklmnop0123456789 x", "abcdefghijklmnop", " x"},
    {"sk_live_0123456789abcdefghij", "0123456789abcdefghij", ""},
    {"AIzaSyA0123456789abcdefghijABCDEFGHIJ01", "SyA0123456789", ""},
    {"jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-DEF_123 end", "eyJzdWIiOiIxIn0", "end"},
    {"-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn\nNzaC1rZXk\n-----END OPENSSH PRIVATE "
     "KEY-----\nend",
     "NzaC1rZXk", "end"},
    {"-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQ", "MIIEpAIBAAKCAQ", ""},
    {"sshpass -p hunter2 ssh joe@host uptime", "hunter2", "uptime"},
    {"sshpass -phunter2 ssh joe@host", "hunter2", "ssh joe@host"},
    {"redis-cli -h db -a hunter2 keys", "hunter2", "keys"},
    {"docker login -u joe -p hunter2 registry", "hunter2", "registry"},
    {"unzip -P hunter2 a.zip", "hunter2", "a.zip"},
    {"7z x -phunter2 a.7z", "hunter2", "a.7z"},
    {"smbclient //s/share -U joe%hunter2 -c ls", "hunter2", "-c ls"},
    {"openssl rsa -in k.pem -passin pass:hunter2 -out o", "hunter2", "-out o"},
    {"gpg --batch --passphrase hunter2 -d f", "hunter2", "-d f"},
    {"echo hunter2 | sudo -S apt update", "hunter2", "apt update"},
    {"echo 'joe:hunter2' | chpasswd", "hunter2", "chpasswd"},
    {"htpasswd -b file joe hunter2", "hunter2", "joe"},
    {"machine x.org login joe password hunter2", "hunter2", "login joe"},
    {"{\"user\":\"joe\",\"password\":\"hun\\\"ter2\",\"x\":1}", "ter2", "\"user\":\"joe\""},
    {"db_password: hunter2\nport: 1", "hunter2", "port: 1"},
    {"client_secret => 'hunter2'", "hunter2", "client_secret"},
    {"no window titled 'password=hunter2'; see window_list", "hunter2", "window_list"},
    /* The shortest keys, alone and within a path: what is one word is not looked at as closely. */
    {"xoxb-12345678", "12345678", ""},
    {"AKIA0123456789AB", "0123456789AB", ""},
    {"ghp_0123456789ab", "0123456789ab", ""},
    {"glpat-0123456789ab", "0123456789ab", ""},
    {"sk-0123456789abcdef", "0123456789abcdef", ""},
    {"eyJabcdef.ghijkl", "ghijkl", ""},
    {"/home/joe/ghp_0123456789ab/x", "0123456789ab", "/home/joe/"},
    {"password=x1y2", "x1y2", "password"},
    {"pass:x1y2", "x1y2", "pass:"},
    {"--token\tx1y2", "x1y2", "--token"},
    {"--token\u2003x1y2", "x1y2", "--token"},
    {"https://ghtok@x", "ghtok", "@x"},
    {"ldapsearch -D cn=a -w hunter2 -b dc=b", "hunter2", "-b dc=b"},
    {"密码 password=秘密之词 完", "秘密之词", "完"},
    {"curl -b 'session=s3ss10n' https://x.org", "s3ss10n", "x.org"},
    {"curl -sb session=s3ss10n https://x.org", "s3ss10n", "x.org"},
    {"curl --cookie 'a=1; session=s3ss10n' https://x.org", "s3ss10n", "x.org"},
    {"https://x.org/maps?key=k3yk3y&q=a", "k3yk3y", "q=a"},
    {"curl 'https://x.org/v1?a=b&apikey=k3yk3y'", "k3yk3y", "a=b"},
    {"https://x.org/cb?code=c0dec0de&next=/home", "c0dec0de", "next=/home"},
    {"htpasswd -nb joe hunter2", "hunter2", "joe"},
    {"htpasswd -n -b joe hunter2; ls", "hunter2", "ls"},
    {"htpasswd -bnB joe 'hun ter2'", "ter2", "joe"},
    {"htpasswd -c -b file joe hunter2", "hunter2", "joe"},
    {"read PASSWORD <<< hunter2; ls", "hunter2", "ls"},
    {"read -rs DB_PASSWORD <<<'hunter 2'", "hunter", "DB_PASSWORD"},
    {"sign in, the password is hunter2", "hunter2", "sign in"},
    {"The passphrase was 'correct horse'.", "horse", "passphrase"},
    {"my token's t0k3nt0k3n, use it", "t0k3nt0k3n", "use it"},
    {"登录，密码是hunter2，然后继续", "hunter2", "然后继续"},
    {"密码：hunter2", "hunter2", "密码"},
    {"口令为 秘密之词 。", "秘密之词", "口令"},
    {"gpg --passphrase hunter2 -d x", "hunter2", "-d x"},
    {"sudo -u x --password hunter2 id", "hunter2", "id"},
    {"printf 'API_SECRET=hunter2' > .env", "hunter2", ".env"},
};

static void test_patterns(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *clean = hf_redact_text(cases[i].text, 1000);
        g_test_message("%s → %s", cases[i].text, clean);
        g_assert_null(strstr(clean, cases[i].gone));
        g_assert_nonnull(strstr(clean, cases[i].stays));
        g_assert_nonnull(strstr(clean, "[redacted]"));
        g_autofree char *again = hf_redact_text(clean, 1000);
        g_assert_null(strstr(again, cases[i].gone));
    }
}

static const char *const harmless[] = {
    "ls -la /home/joe",
    "git commit -m 'Fix the port of the parser'",
    "mysql -P 3306 -h db",
    "cp -p a b",
    "mkdir -p /tmp/a/b",
    "ssh -p 2222 joe@host",
    "https://x.org/a/b?page=2&sort=name",
    "ssh://git@x.org/a.git",
    "Click the Password field",
    "make -j4 test",
    "你好，世界",
    "the password is wrong",
    "the token is not valid any more",
    "密码是错误的",
    "curl -b cookies.txt https://x.org",
    "read line <<< hello",
    "htpasswd -v file joe",
    "passport photos",
    "no window titled 'Token ring'; see window_list",
    "tar -xzf keys.tar.gz",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "",
};

/* What is replaced by one rule is not replaced once more by another, nor in a second pass. */
static void test_once(void)
{
    static const char *const texts[] = {
        "TOKEN=ghp_0123456789abcdefghijABCDEFGHIJ012345 ls",
        "API_KEY: 'sk-0123456789abcdefghij'",
        "--password [redacted] x",
        "PASSWORD=hunter2",
        "a [redacted] b",
        "[PASSWORD=hunter2]",
    };
    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autofree char *once = hf_secret_patterns_redact(texts[i]),
                        *again = hf_secret_patterns_redact(once);
        g_assert_cmpstr(once, ==, again);
        g_assert_true(i == 5 || !strstr(once, "]]"));
    }
}

/* A part of a text, without its quotes: only the whole shows what is secret. */
static void test_parts(void)
{
    static const struct {
        const char *part, *whole, *gone, *stays;
    } parts[] = {
        {"echo hunter2", "echo hunter2 | sudo -S id", "hunter2", "echo"},
        {"hunter2 id", "sudo -u x --password hunter2 id", "hunter2", "id"},
        {"--passphrase hun ter2 x", "gpg --passphrase 'hun ter2' x", "ter2", "x"},
        {"read PASSWORD", "read PASSWORD <<< hunter2", "hunter2", "read PASSWORD"},
        {"joe hunter2", "htpasswd -nb joe hunter2", "hunter2", "joe"},
        {"a=1; b=s3ss10n", "curl -b 'a=1; b=s3ss10n' x.org", "s3ss10n", ""},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) {
        g_autoptr(GPtrArray) secrets = hf_secret_patterns_find(parts[i].whole);
        g_autofree char *clean = hf_secret_patterns_redact_part(parts[i].part, secrets);
        g_test_message("%s → %s", parts[i].part, clean);
        g_assert_null(strstr(clean, parts[i].gone));
        g_assert_nonnull(strstr(clean, parts[i].stays));
    }
}

static void test_harmless(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(harmless); i++) {
        g_autofree char *clean = hf_redact_text(harmless[i], 1000);
        g_assert_cmpstr(clean, ==, harmless[i]);
    }
}

static const HfParam table[] = {
    {.name = "text", .type = HF_TYPE_STRING, .secret = TRUE},
    {.name = "command", .type = HF_TYPE_STRING},
    {.name = "env", .type = HF_TYPE_OBJECT},
    {.name = "keys", .type = HF_TYPE_ARRAY},
    {0},
};

static void test_params(void)
{
    g_autoptr(json_t) params =
        json_pack("{s:s, s:s, s:{s:s, s:s}, s:[s, s], s:s}", "text", "typed words", "command",
                  "ls; curl -u a:hunter2 x", "env", "HOME", "/root", "DB_PASSWORD", "hunter2",
                  "keys", "ctrl", "token=hunter2", "unknown", "hunter2");
    g_autoptr(json_t) kept = hf_redact_params(table, params);
    g_autofree char *text = hf_json_dump(kept);
    g_assert_null(strstr(text, "hunter2"));
    g_assert_null(strstr(text, "typed words"));
    g_assert_nonnull(strstr(text, "/root"));
    g_assert_nonnull(strstr(text, "ctrl"));
    g_assert_cmpint(hf_json_int(json_object_get(kept, "text"), "bytes", 0), ==, 11);
    g_autoptr(json_t) unknown = hf_redact_params(NULL, params);
    g_autofree char *shapes = hf_json_dump(unknown);
    g_assert_null(strstr(shapes, "curl"));
    g_autoptr(json_t) words = json_pack("{s:[s, s, s]}", "keys", "--password", "hunter2", "-v");
    g_autoptr(json_t) arguments = hf_redact_params(table, words);
    g_autofree char *listed = hf_json_dump(arguments);
    g_assert_null(strstr(listed, "hunter2"));
    g_assert_nonnull(strstr(listed, "-v"));
}

static void test_echo(void)
{
    g_autoptr(json_t) params = json_pack("{s:s}", "text", "typed words");
    g_autofree char *message = hf_redact_echo("cannot type 'typed words' here", table, params);
    g_assert_cmpstr(message, ==, "cannot type '[redacted]' here");
    g_autoptr(json_t) details = json_pack("{s:[s]}", "rest", "the typed words again");
    g_autoptr(json_t) kept = hf_redact_value_echo(details, table, params);
    g_assert_cmpstr(json_string_value(json_array_get(json_object_get(kept, "rest"), 0)), ==,
                    "the [redacted] again");
}

static const HfParam calls_table[] = {
    {.name = "steps", .type = HF_TYPE_ARRAY, .means = HF_MEANS_CALLS},
    {0},
};

/* Calls within a call: each tool says itself what of it is secret; of what is no tool nothing is
 * kept. */
static void test_calls(void)
{
    g_autoptr(json_t) params = json_loads(
        "{\"steps\": [{\"tool\": \"type_text\", \"params\": {\"text\": \"typed words\"}},"
        "{\"tool\": \"left_click\", \"params\": {\"x\": 4711}},"
        "{\"tool\": \"nope\", \"params\": {\"text\": \"hidden one\"}},"
        "{\"params\": {\"text\": \"hidden two\"}}]}",
        0, NULL);
    g_autoptr(json_t) kept = hf_redact_params(calls_table, params);
    g_autofree char *text = hf_json_dump(kept);
    g_assert_null(strstr(text, "typed words"));
    g_assert_null(strstr(text, "hidden"));
    g_assert_nonnull(strstr(text, "4711"));
    g_assert_nonnull(strstr(text, "left_click"));
    g_autofree char *echo = hf_redact_echo("after 'typed words' came 1", calls_table, params);
    g_assert_cmpstr(echo, ==, "after '[redacted]' came 1");
    g_autoptr(json_t) done = json_loads(
        "{\"done\": {\"steps\": [{\"tool\": \"clipboard_read\", \"result\": {\"text\": \"copied "
        "words\"}}, {\"tool\": \"cursor_position\", \"result\": {\"x\": 815}}]}}",
        0, NULL);
    g_autoptr(json_t) told = hf_redact_value_echo(done, calls_table, params);
    g_autofree char *shown = hf_json_dump(told);
    g_assert_null(strstr(shown, "copied words"));
    g_assert_nonnull(strstr(shown, "815"));
}

static void test_sizes(void)
{
    g_autofree char *huge = g_strnfill(10 * 1024 * 1024, 'x');
    g_autoptr(json_t) params = json_pack("{s:s}", "command", huge);
    g_autoptr(json_t) kept = hf_redact_params(table, params);
    g_assert_cmpuint(json_dumpb(kept, NULL, 0, 0), <, 2 * HF_LIMIT_AUDIT_TEXT_BYTES);
    g_autoptr(json_t) many = json_array();
    for (int i = 0; i < 100000; i++)
        json_array_append_new(many, json_string("some words of text in here"));
    g_autoptr(json_t) wide = json_pack("{s:O}", "keys", many);
    g_autoptr(json_t) narrow = hf_redact_params(table, wide);
    g_assert_cmpuint(json_dumpb(narrow, NULL, 0, 0), <=, HF_LIMIT_AUDIT_PARAMS_BYTES);
    json_t *deep = json_object();
    for (int i = 0; i < 1000; i++)
        deep = json_pack("{s:o}", "x", deep);
    g_autoptr(json_t) nested = json_pack("{s:o}", "env", deep);
    g_autoptr(json_t) flat = hf_redact_params(table, nested);
    g_assert_cmpuint(json_dumpb(flat, NULL, 0, 0), <, 1000);
}

/* A text made to make patterns work hard must not hold up a call. */
static void test_hostile(void)
{
    const char *const pieces[] = {"password", "mysql -", "\"\\\"", "echo a ",
                                  "'",        "eyJ",     "://:",   "a "};
    for (gsize i = 0; i < G_N_ELEMENTS(pieces); i++) {
        g_autoptr(GString) text = g_string_new(NULL);
        while (text->len < 70000)
            g_string_append(text, pieces[i]);
        gint64 began = g_get_monotonic_time();
        g_autofree char *clean = hf_redact_text(text->str, 1000);
        gint64 took = g_get_monotonic_time() - began;
        g_test_message("%s: %d ms", pieces[i], (int)(took / 1000));
        g_assert_cmpint(took, <, 5 * G_USEC_PER_SEC);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/redact/patterns", test_patterns);
    g_test_add_func("/redact/once", test_once);
    g_test_add_func("/redact/parts", test_parts);
    g_test_add_func("/redact/harmless", test_harmless);
    g_test_add_func("/redact/params", test_params);
    g_test_add_func("/redact/echo", test_echo);
    g_test_add_func("/redact/calls", test_calls);
    g_test_add_func("/redact/sizes", test_sizes);
    g_test_add_func("/redact/hostile", test_hostile);
    return g_test_run();
}
