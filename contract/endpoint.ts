import { z } from 'zod';
import type { Capability } from './capabilities.ts';

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
 * The callers of an operation: `none` everyone · `user` a signed-in account with a proven address · `admin` an
 * administrator · `service` a service key or an administrator · `webhook` the content platform's key.
 */
export type Auth = 'none' | 'user' | 'admin' | 'service' | 'webhook';

type Schema = z.core.$ZodType;
export type Replies = Readonly<Record<number, Schema | null>>;

export type Endpoint = {
  /** verbNoun. Names the handler, the client's function and the operationId. */
  name: string;
  service: Service;
  method: Method;
  /** Path below `/api/<service>`, with `{param}` placeholders. */
  path: string;
  auth: Auth;
  /** With `admin`: also for people with a role that includes this, in their places (contract/roles.ts). */
  capability?: Capability;
  summary: string;
  /** Details the specification leaves open; shown in OpenAPI. */
  description?: string;
  params?: Schema;
  query?: Schema;
  headers?: Schema;
  body?: Schema;
  /** Replaces `body`: the name of the only file of a multipart form. */
  upload?: string;
  /** Replaces JSON: the media type of the usual reply. */
  download?: string;
  /** By status; `null` for an empty reply. The first status is the usual one. */
  replies: Replies;
  /** Error codes (contract/errors.ts) beyond those that every operation may answer. */
  errors?: readonly string[];
  /** Added by Officium; not in the customer's contract. */
  extension?: boolean;
  deprecated?: boolean;
  /** Maximum body size in bytes; 1 MiB by default. */
  bodyLimit?: number;
};

/** Declares an operation, keeping the exact types of its schemas. */
export function endpoint<const E extends Endpoint>(declaration: E): E {
  return declaration;
}

/** Tells operations apart from the other exports of a contract module. */
export function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'replies' in value && 'service' in value;
}

type In<S> = S extends Schema ? z.input<S> : undefined;
type Out<S> = S extends Schema ? z.output<S> : undefined;

/** The input a caller passes. */
export type CallOf<E extends Endpoint> = (E['params'] extends Schema ? { params: In<E['params']> } : object) &
  (E['query'] extends Schema ? { query?: In<E['query']> } : object) &
  (E['body'] extends Schema ? { body: In<E['body']> } : object);

/** The validated input a handler receives. */
export type InputOf<E extends Endpoint> = {
  params: Out<E['params']>;
  query: Out<E['query']>;
  headers: Out<E['headers']>;
  body: Out<E['body']>;
};

/** Every body an operation may answer with. */
export type ReplyOf<E extends Endpoint> = {
  [S in keyof E['replies']]: E['replies'][S] extends Schema ? z.output<E['replies'][S]> : undefined;
}[keyof E['replies']];

/** Whether the reply is a stream of server-sent events. */
export function isStream({ download }: Pick<Endpoint, 'download'>): boolean {
  return download === 'text/event-stream';
}

/** The full path of a mounted operation. */
export function mountedPath(endpoint: Pick<Endpoint, 'service' | 'path'>): string {
  return `/api/${endpoint.service}${endpoint.path}`;
}

/** The status of the usual reply: the first declared. Integer keys sort, so 200 comes before 201. */
export function usualStatus(endpoint: Pick<Endpoint, 'replies'>): number {
  return Number(Object.keys(endpoint.replies)[0]);
}
