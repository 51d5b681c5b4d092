// Loaded before the official tools, which cannot be told of a token: adds it to every request.
import http from 'node:http';
import {createRequire} from 'node:module';

const token = process.env.HANDFAST_TOKEN;

function add(headers) {
  return {authorization: `Bearer ${token}`, ...headers};
}

function patchFetch() {
  const fetch = globalThis.fetch;
  globalThis.fetch = (input, options = {}) => {
    const headers = new Headers(options.headers ?? (input instanceof Request ? input.headers : undefined));
    if (!headers.has('authorization')) headers.set('authorization', `Bearer ${token}`);
    return fetch(input, {...options, headers});
  };
}

function patchHttp() {
  const request = http.request;
  http.request = (...rest) => {
    const options = rest.find((part) => part && typeof part === 'object' && !(part instanceof URL));
    if (options) options.headers = add(options.headers);
    return request(...rest);
  };
}

// Some tools bring their own client.
function patchUndici() {
  let undici;
  try {
    undici = createRequire(process.argv[1])('undici');
  } catch {
    return;
  }
  const request = undici.request;
  undici.request = (url, options = {}) => request(url, {...options, headers: add(options.headers)});
}

if (token) {
  patchFetch();
  patchHttp();
  patchUndici();
}
