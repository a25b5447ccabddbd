import pino from 'pino';
import { openSession } from '../server/access/sessions.ts';
import { buildApp } from '../server/app/app.ts';
import { openCtx } from '../server/app/open.ts';
import { readConfig } from '../server/config.ts';
import { readDataVersion } from '../server/db/data-version.ts';
import { watchQueries } from '../server/test/queries.ts';
import { mountWeb } from '../web/mount.ts';

/** The statements of one page after its session was read, and the round trips they took. */
export type PageStatements = { texts: string[]; trips: number; html: string; policy: string };

export type PageCounter = {
  /** A cookie of a new session. */
  signIn(userId: string): Promise<string>;
  count(path: string, cookie?: string): Promise<PageStatements>;
  get(path: string, cookie?: string): Promise<{ html: string; policy: string }>;
  close(): Promise<void>;
};

const headersOf = (cookie?: string) => ({
  accept: 'text/html',
  'accept-language': 'en',
  ...(cookie && { cookie }),
});

/** Serves pages in this process, on the database of a product whose pages are built. */
export async function openPageCounter(databaseUrl: string, dataDir: string): Promise<PageCounter> {
  const url = 'http://localhost:3000';
  const config = readConfig({
    NODE_ENV: 'production',
    ROLE: 'web',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'fatal',
    RATE_LIMITS: 'off',
    PUBLIC_URL: url,
  });
  const { ctx, close } = await openCtx(config, databaseUrl, pino({ level: 'fatal' }));
  const app = await buildApp(ctx, {
    mountPages: async (pages) =>
      await mountWeb(pages, {
        dev: false,
        publicUrl: url,
        site: () => ctx.site.current(),
        openReads: () => ctx.pageReads.open(),
        readVersion: () => readDataVersion(ctx),
      }),
  });
  await app.ready();
  const watch = watchQueries(ctx.pool);
  const get = async (path: string, headers: Record<string, string>) => {
    const answer = await app.inject({ url: path, headers });
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`);
    return { html: answer.body, policy: String(answer.headers['content-security-policy']) };
  };
  return {
    signIn: async (userId) => `session=${await openSession(ctx.db, { userId })}`,
    async count(path, cookie) {
      const headers = headersOf(cookie);
      await app.inject({ url: '/api/auth/session', headers }); // reads the session
      let page = { html: '', policy: '' };
      const watched = await watch(async () => (page = await get(path, headers)));
      return { ...watched, ...page };
    },
    get: async (path, cookie) => await get(path, headersOf(cookie)),
    async close() {
      await app.close();
      await close();
    },
  };
}
