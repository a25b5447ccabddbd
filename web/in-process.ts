import { EventEmitter } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

type Asked = { url: string; headers: Record<string, string>; remoteAddress: string };
type Answered = { statusCode: number; body: string; headers: OutgoingHttpHeaders };

/**
 * Sends a GET through the router of `app`, with every hook and check of a request from outside. `app.inject` does the
 * same, but writes each answer as HTTP and reads it back, which costs half as much as a call itself.
 */
export function getInProcess(app: FastifyInstance, asked: Asked): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const reply = new Reply();
    reply.on('finish', () =>
      resolve({ statusCode: reply.statusCode, body: reply.text(), headers: reply.getHeaders() }),
    );
    reply.on('error', reject);
    reply.on('close', () => reject(new Error(`${asked.url} was not answered`))); // without effect after an answer
    // Fastify and the hooks read only what these have, which the tests of every page and operation show.
    app.routing(new Question(asked) as unknown as IncomingMessage, reply as unknown as ServerResponse);
  });
}

class Question extends EventEmitter {
  readonly method = 'GET';
  readonly httpVersion = '1.1';
  readonly httpVersionMajor = 1;
  readonly httpVersionMinor = 1;
  readonly aborted = false;
  readonly url: string;
  readonly headers: Record<string, string>;
  /** Stands for a connection: the page that asks was admitted and is logged itself. */
  readonly socket: { remoteAddress: string };

  constructor({ url, headers, remoteAddress }: Asked) {
    super();
    this.url = url;
    this.headers = { host: 'localhost', ...headers };
    this.socket = { remoteAddress };
  }
}

class Reply extends Writable {
  statusCode = 200;
  headersSent = false;
  readonly #headers: OutgoingHttpHeaders = {};
  readonly #parts: (string | Buffer)[] = [];

  constructor() {
    super({ decodeStrings: false });
  }

  override _write(part: string | Buffer, _encoding: string, done: () => void): void {
    this.headersSent = true;
    this.#parts.push(part);
    done();
  }

  writeHead(statusCode: number, headers: OutgoingHttpHeaders): this {
    this.statusCode = statusCode;
    this.headersSent = true;
    Object.assign(this.#headers, headers);
    return this;
  }

  setHeader(name: string, value: string | number | readonly string[]): this {
    this.#headers[name.toLowerCase()] = value as string; // also numbers and lists, as the type of all headers says
    return this;
  }

  getHeader(name: string): unknown {
    return this.#headers[name.toLowerCase()];
  }

  hasHeader(name: string): boolean {
    return this.getHeader(name) !== undefined;
  }

  removeHeader(name: string): void {
    delete this.#headers[name.toLowerCase()];
  }

  getHeaders(): OutgoingHttpHeaders {
    return this.#headers;
  }

  text(): string {
    const [only] = this.#parts;
    if (this.#parts.length === 1 && typeof only === 'string') return only;
    return Buffer.concat(this.#parts.map((part) => Buffer.from(part as string))).toString(); // also copies of bytes
  }
}
