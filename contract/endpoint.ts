import { z } from 'zod';

export type Service =
  | 'moderation'
  | 'notifications'
  | 'search'
  | 'admin'
  | 'assets'
  | 'auth'
  | 'content'
  | 'learner'
  | 'account'
  | 'enrolment'
  | 'people'
  | 'ai'
  | 'community';
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call at all: `none` anyone · `user` a signed-in, proven account · `admin` an administrator ·
 * `service` a service key or an administrator · `webhook` the content platform's security key.
 */
export type Auth = 'none' | 'user' | 'admin' | 'service' | 'webhook';

type Schema = z.core.$ZodType;
export type Replies = Readonly<Record<number, Schema | null>>;

export type Endpoint = {
  /** verbNoun: the name of the handler, the client's function and the operationId. */
  name: string;
  service: Service;
  method: Method;
  /** Path below `/api/<service>`, with `{param}` placeholders. */
  path: string;
  auth: Auth;
  summary: string;
  /** What the specification leaves open and we decided; shown in OpenAPI. */
  description?: string;
  params?: Schema;
  query?: Schema;
  headers?: Schema;
  body?: Schema;
  /** Instead of a body: the name of the one file of a multipart form. */
  upload?: string;
  /** Instead of JSON: the media type of the file the usual reply is. */
  download?: string;
  /** By status; `null` for an empty reply. The first is the usual one. */
  replies: Replies;
  /** Codes of contract/errors.ts this operation answers beyond those every operation has. */
  errors?: readonly string[];
  /** Not in the customer's contract: an addition of ours. */
  extension?: boolean;
  deprecated?: boolean;
  /** Largest body in bytes, when it is not the usual 1 MiB. */
  bodyLimit?: number;
};

/** Declares an operation, keeping the exact types of its schemas. */
export function endpoint<const E extends Endpoint>(declaration: E): E {
  return declaration;
}

/** Tells the operations from what else a module of the contract exports. */
export function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'replies' in value && 'service' in value;
}

type In<S> = S extends Schema ? z.input<S> : undefined;
type Out<S> = S extends Schema ? z.output<S> : undefined;

/** What a caller passes. */
export type CallOf<E extends Endpoint> = (E['params'] extends Schema ? { params: In<E['params']> } : object) &
  (E['query'] extends Schema ? { query?: In<E['query']> } : object) &
  (E['body'] extends Schema ? { body: In<E['body']> } : object);

/** What a handler receives, validated. */
export type InputOf<E extends Endpoint> = {
  params: Out<E['params']>;
  query: Out<E['query']>;
  headers: Out<E['headers']>;
  body: Out<E['body']>;
};

/** Any of the bodies an operation may answer with. */
export type ReplyOf<E extends Endpoint> = {
  [S in keyof E['replies']]: E['replies'][S] extends Schema ? z.output<E['replies'][S]> : undefined;
}[keyof E['replies']];

/** Whether its answer goes on as long as somebody listens. */
export function isStream({ download }: Pick<Endpoint, 'download'>): boolean {
  return download === 'text/event-stream';
}

/** The full path of an operation, as mounted. */
export function mountedPath(endpoint: Pick<Endpoint, 'service' | 'path'>): string {
  return `/api/${endpoint.service}${endpoint.path}`;
}

/** The status of the usual reply: the first declared. Integer keys sort, so 200 comes before 201. */
export function usualStatus(endpoint: Pick<Endpoint, 'replies'>): number {
  return Number(Object.keys(endpoint.replies)[0]);
}
