// A peer that stays loaded and does one job for each line on standard input:
//   node worker.cjs PEER        PEER: nut, screenshots, robot, cua, pty, child
// Each request and each answer is one JSON line. Times are nanoseconds of the monotonic clock,
// taken around the peer's own work; pictures end as base64, as an agent would send them.
'use strict';
const fs = require('fs');
const readline = require('readline');

const LONG_EDGE = 1568;

const version = (name) => {
  for (const folder of module.paths) {
    const file = `${folder}/${name}/package.json`;
    if (fs.existsSync(file)) return JSON.parse(fs.readFileSync(file, 'utf8')).version;
  }
  return '';
};

// X leaves rubbish in the fourth byte, which these libraries hand on as alpha: sharp then turns
// windows black. A careful user fills it in, so that the job is the same for all.
const words = (data) => new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4);
const opaque = (data) => {
  const pixels = words(data);
  for (let i = 0; i < pixels.length; i++) pixels[i] |= 0xff000000;
  return data;
};
// The same, and blue and red change places.
const opaqueSwapped = (data) => {
  const pixels = words(data);
  for (let i = 0; i < pixels.length; i++) {
    const pixel = pixels[i];
    pixels[i] = 0xff000000 | ((pixel & 0xff) << 16) | (pixel & 0xff00) | ((pixel >>> 16) & 0xff);
  }
  return data;
};

const raw = (data, width, height) =>
  require('sharp')(data, { raw: { width, height, channels: 4 } }).removeAlpha();

const jpeg = async (picture) => (await picture.jpeg({ quality: 80 }).toBuffer()).toString('base64');
const png = async (picture) => (await picture.png().toBuffer()).toString('base64');

// What sharp makes of raw pixels, by job.
const finish = {
  shot: (data, width, height) => jpeg(raw(data, width, height).resize(LONG_EDGE)),
  region: (data, width, height) => jpeg(raw(data, width, height)),
  png: (data, width, height) => png(raw(data, width, height)),
};

const nut = () => {
  const { screen, mouse, keyboard, Point, Region, Button } = require('@nut-tree-fork/nut-js');
  mouse.config.autoDelayMs = 0;
  mouse.config.mouseSpeed = 100000;
  keyboard.config.autoDelayMs = 0;
  const grab = async (job, take) => {
    const picture = await (await take()).toRGB();
    return finish[job](opaque(picture.data), picture.width, picture.height);
  };
  return {
    version: version('@nut-tree-fork/nut-js'),
    shot: () => grab('shot', () => screen.grab()),
    region: ({ x, y, width, height }) =>
      grab('region', () => screen.grabRegion(new Region(x, y, width, height))),
    png: () => grab('png', () => screen.grab()),
    click: async ({ x, y }) => {
      await mouse.setPosition(new Point(x, y));
      await mouse.click(Button.LEFT);
    },
    type: ({ text }) => keyboard.type(text),
  };
};

const screenshots = () => {
  const { Monitor } = require('node-screenshots');
  const monitor = Monitor.all()[0];
  return {
    version: version('node-screenshots'),
    shot: async () => {
      const picture = await monitor.captureImage();
      return finish.shot(await picture.toRaw(), picture.width, picture.height);
    },
    region: async ({ x, y, width, height }) => {
      const picture = await (await monitor.captureImage()).crop(x, y, width, height);
      return finish.region(await picture.toRaw(), picture.width, picture.height);
    },
    png: async () => (await (await monitor.captureImage()).toPng()).toString('base64'),
  };
};

const robot = () => {
  const library = require('robotjs');
  // Left to itself it opens display :0, whatever DISPLAY says, and would click in a stranger's
  // session.
  library.setXDisplayName(process.env.DISPLAY);
  library.setMouseDelay(0);
  library.setKeyboardDelay(0);
  const grab = (job, ...area) => {
    const picture = library.screen.capture(...area);
    return finish[job](opaqueSwapped(picture.image), picture.width, picture.height);
  };
  return {
    version: version('robotjs'),
    shot: () => grab('shot'),
    region: ({ x, y, width, height }) => grab('region', x, y, width, height),
    png: () => grab('png'),
    click: ({ x, y }) => {
      library.moveMouse(x, y);
      library.mouseClick();
    },
    type: ({ text }) => library.typeString(text),
  };
};

const cua = async () => {
  const { CuaDriver } = await import('@trycua/cua-driver');
  const driver = CuaDriver.create(undefined);
  const call = async (name, parameters) => {
    const result = await driver.callTool(name, JSON.stringify(parameters));
    if (result.isError) throw new Error(result.text || result.rawJson);
    return result;
  };
  await call('set_agent_cursor_enabled', { enabled: false }).catch(() => {});
  return {
    version: version('@trycua/cua-driver'),
    png: async () => (await call('get_desktop_state', {})).images[0].dataBase64,
    click: ({ x, y }) => call('click', { x, y, scope: 'desktop' }),
    type: ({ text }) => call('type_text', { text, scope: 'desktop' }),
    observe: (window) => call('get_window_state', window),
    tree: (window) => call('get_window_state', { ...window, capture_mode: 'ax' }),
  };
};

// A shell that stays, on a terminal, with a mark at the end of each command: what its users write.
const pty = async () => {
  const terminal = require('node-pty').spawn('/bin/bash', ['--norc', '--noprofile', '--noediting'], {
    cols: 200, rows: 50, env: { ...process.env, PS1: '', TERM: 'dumb' } });
  let seen = '', mark = '', found = () => {}, number = 0;
  terminal.onData((data) => {
    seen += data;
    if (mark && seen.includes(mark)) { const text = seen; seen = mark = ''; found(text); }
  });
  const run = (command) => new Promise((resolve) => {
    found = resolve;
    mark = `\x1eE${++number};`;
    terminal.write(`{ ${command}\n} ; printf '\\036E%d;%d\\n' ${number} $?\n`);
  });
  await run('stty -echo; PS1=; PS2=; PROMPT_COMMAND=');
  return { version: version('node-pty'), shell: ({ command }) => run(command) };
};

const child = () => ({
  version: process.version,
  shell: ({ command }) => new Promise((resolve, reject) =>
    require('child_process').exec(command, (problem, output) => (problem ? reject(problem) : resolve(output)))),
});

const now = () => process.hrtime.bigint().toString();
const say = (answer) => process.stdout.write(JSON.stringify(answer) + '\n');

const work = async (peer, { job, save, ...parameters }) => {
  const start = now();
  const made = await peer[job](parameters);
  const end = now();
  if (save) fs.writeFileSync(save, Buffer.from(made, 'base64'));
  return { start, end, bytes: typeof made === 'string' ? made.length : 0 };
};

const main = async () => {
  const peer = await { nut, screenshots, robot, cua, pty, child }[process.argv[2]]();
  const jobs = Object.keys(peer).filter((name) => name !== 'version');
  say({ version: peer.version, jobs });
  for await (const line of readline.createInterface({ input: process.stdin })) {
    try {
      say(await work(peer, JSON.parse(line)));
    } catch (problem) {
      say({ error: String(problem.message || problem).slice(0, 300) });
    }
  }
  process.exit(0);
};

main().catch((problem) => {
  say({ error: String(problem.message || problem).slice(0, 300) });
  process.exit(1);
});
