import type { Ctx } from '#server/ctx.ts';
import type { Issuer } from './credential.view.ts';

/** The issuer of a certificate: the name stored with it, else the current name of the site. */
export function issuerOf({ config, site }: Pick<Ctx, 'config' | 'site'>, row?: { issuer: string | null }): Issuer {
  return { publicUrl: config.publicUrl, issuer: row?.issuer ?? site.current().name };
}
