import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';

/** Gives a person what waited for their address. Called in the transaction that proves it, maybe more than once. */
export type Claim = (ctx: Ctx, db: Db, person: { userId: string; email: string }) => Promise<void>;
