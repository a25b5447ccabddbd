import type { Db } from '#server/db/client.ts';

const PICTURES_AT_ONCE = 1_000;

/** The keys of the pictures of the catalogue, each once. */
export async function findAssetKeys(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('content_assets').select('key').distinct().orderBy('key').execute();
  return rows.map(({ key }) => key);
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
