// How many tokens a real tokenizer makes of each text in a JSON array on standard input.
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';
import path from 'node:path';
import fs from 'node:fs';

const require = createRequire(path.join(process.env.HANDFAST_MCP_PACKAGES, 'package.json'));
const {encode} = await import(pathToFileURL(require.resolve('gpt-tokenizer/encoding/o200k_base')));
console.log(JSON.stringify(JSON.parse(fs.readFileSync(0, 'utf8')).map((text) => encode(text).length)));
