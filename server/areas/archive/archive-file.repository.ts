import type { Db } from '#server/db/client.ts';
import { identityOf } from '#server/site/site.ts';

const PICTURES_AT_ONCE = 1_000;

/** The keys of all files of content, its drafts and versions, of the logos and of the pictures of certificates, each once. */
export async function findAssetKeys(db: Db): Promise<string[]> {
  // An archive of an earlier release brought files of the catalogue that are not registered.
  const files = await db
    .selectFrom('stored_files')
    .select('key')
    .union(db.selectFrom('content_assets').select('key'))
    .execute();
  const versions = await db.selectFrom('site_versions').select('identity').execute();
  const logos = versions.flatMap(({ identity }) => {
    const { logo, logoDark, certificate } = identityOf(identity);
    return [logo, logoDark, ...Object.values(certificate.pictures)].flatMap((one) => (one ? [one.key] : []));
  });
  return [...new Set([...files.map(({ key }) => key), ...logos])].toSorted();
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
