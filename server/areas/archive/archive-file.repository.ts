import type { Db } from '#server/db/client.ts';
import { identityOf } from '#server/site/site.ts';

const PICTURES_AT_ONCE = 1_000;

/** The keys of the pictures of the catalogue and of the logos, each once. */
export async function findAssetKeys(db: Db): Promise<string[]> {
  const pictures = await db.selectFrom('content_assets').select('key').distinct().execute();
  const versions = await db.selectFrom('site_versions').select('identity').execute();
  const logos = versions.flatMap(({ identity }) => {
    const { logo, logoDark } = identityOf(identity);
    return [logo, logoDark].flatMap((one) => (one ? [one.key] : []));
  });
  return [...new Set([...pictures.map(({ key }) => key), ...logos])].toSorted();
}

/** The ids of uploaded profile pictures, some at a time. */
export async function* findProfilePictures(db: Db): AsyncGenerator<string[]> {
  let last: string | undefined;
  for (;;) {
    const rows = await db
      .selectFrom('profile_images')
      .select('id')
      .$if(last !== undefined, (pictures) => pictures.where('id', '>', last!)) // checked by the first argument
      .orderBy('id')
      .limit(PICTURES_AT_ONCE)
      .execute();
    if (rows.length === 0) return;
    yield rows.map(({ id }) => id);
    last = rows.at(-1)?.id;
  }
}
