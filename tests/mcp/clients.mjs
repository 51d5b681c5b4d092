// The official client libraries, each by its own ways, against one server. Prints what they got.
// usage: clients.mjs LIBRARY TRANSPORT TARGET...   LIBRARY: sdk1 | client2-legacy | client2-auto | client2-modern
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';
import path from 'node:path';

const require = createRequire(path.join(process.env.HANDFAST_MCP_PACKAGES, 'package.json'));
const load = (name) => import(pathToFileURL(require.resolve(name)));
const [library, transport, ...target] = process.argv.slice(2);
const token = process.env.HANDFAST_TOKEN;

async function parts() {
  if (library === 'sdk1') {
    const {Client} = await load('@modelcontextprotocol/sdk/client/index.js');
    const {StdioClientTransport} = await load('@modelcontextprotocol/sdk/client/stdio.js');
    const {StreamableHTTPClientTransport} = await load('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const types = await load('@modelcontextprotocol/sdk/types.js');
    return {Client, StdioClientTransport, StreamableHTTPClientTransport, elicit: types.ElicitRequestSchema,
            updated: types.ResourceUpdatedNotificationSchema};
  }
  const {Client, StreamableHTTPClientTransport} = await load('@modelcontextprotocol/client');
  const {StdioClientTransport} = await load('@modelcontextprotocol/client/stdio');
  return {Client, StdioClientTransport, StreamableHTTPClientTransport, elicit: 'elicitation/create',
          updated: 'notifications/resources/updated'};
}

function mode() {
  if (library === 'client2-auto') return {versionNegotiation: {mode: 'auto'}};
  if (library === 'client2-modern') return {versionNegotiation: {mode: {pin: '2026-07-28'}}};
  return {};
}

const {Client, StdioClientTransport, StreamableHTTPClientTransport, elicit} = await parts();
const client = new Client({name: 'test', version: '1'}, {capabilities: {elicitation: {form: {}}}, ...mode()});
const asked = [];
client.setRequestHandler(elicit, async (request) => {
  asked.push(request.params.message);
  return {action: 'accept', content: {approve: true}};
});
await client.connect(transport === 'stdio'
  ? new StdioClientTransport({command: target[0], args: target.slice(1), env: {...process.env, NODE_OPTIONS: ''}})
  : new StreamableHTTPClientTransport(new URL(target[0]), {requestInit: {headers: {authorization: `Bearer ${token}`}}}));

const out = {};
out.server = client.getServerVersion()?.name;
out.instructions = client.getInstructions()?.length > 0;
out.tools = (await client.listTools()).tools.map((tool) => tool.name);
const shot = await client.callTool({name: 'screenshot', arguments: {}});
out.shot = {types: shot.content.map((block) => block.type), width: shot.structuredContent.width};
out.click = (await client.callTool({name: 'left_click', arguments: {x: 321, y: 123}})).structuredContent;
const wrong = await client.callTool({name: 'window_focus', arguments: {window_id: 4242}});
out.wrong = {isError: wrong.isError, text: wrong.content[0].text};
out.resources = (await client.listResources()).resources.map((resource) => resource.uri);
out.screen = (await client.readResource({uri: 'screen://main'})).contents[0].mimeType;
const steps = [];
await client.callTool({name: 'wait', arguments: {duration: 1.2}}, ...(library === 'sdk1' ? [undefined] : []),
                      {onprogress: (step) => steps.push(step.progress)});
out.progress = steps.length;
const controller = new AbortController();
setTimeout(() => controller.abort(), 300);
out.cancelled = await client.callTool({name: 'wait', arguments: {duration: 200}}, ...(library === 'sdk1' ? [undefined] : []),
                                      {signal: controller.signal}).then(() => false, () => true);
const approved = await client.callTool({name: 'left_click', arguments: {x: 55, y: 66, project: 'asking'}});
out.approved = {asked, result: approved.structuredContent ?? approved.content};
await client.close();
console.log(JSON.stringify(out));
