// playwright-core as others use it: a click, a fill, a text, each timed here.
const { chromium } = require("playwright-core");
const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const shown = !!process.env.DISPLAY;
if (shown) args.push("--force-renderer-accessibility");
(async () => {
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args, headless: !shown });
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.goto(process.argv[2]);
  const jobs = { click: () => page.click("#b"), fill: () => page.fill("#q", "hello world 你好"), text: () => page.innerText("body") };
  console.log("ready");
  for await (const line of require("readline").createInterface({ input: process.stdin })) {
    const began = performance.now();
    await jobs[line.trim()]();
    console.log((performance.now() - began).toFixed(3));
  }
  await browser.close();
})();
