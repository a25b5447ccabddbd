import { sql } from 'kysely';
import { type Db, NOW } from '#server/db/client.ts';

/** Inserts the draft entry of a new piece. */
export async function insertEntry(db: Db, { id, contentType }: { id: string; contentType: string }): Promise<void> {
  await db
    .insertInto('entries')
    .values({ id, content_type: contentType, status: 'draft', source: 'authoring' })
    .execute();
}

/** Publishes an entry under its slug and merges its fields with the stored ones. */
export async function showEntry(
  db: Db,
  { id, contentType, slug, fields }: { id: string; contentType: string; slug: string; fields: object },
): Promise<void> {
  await db
    .insertInto('entries')
    .values({
      id,
      content_type: contentType,
      status: 'published',
      source: 'authoring',
      slug: JSON.stringify({ en: slug }),
      fields: JSON.stringify(fields),
    })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(({ ref }) => ({
        status: 'published',
        slug: sql`${ref('entries.slug')} || ${ref('excluded.slug')}`,
        fields: sql`${ref('entries.fields')} || ${ref('excluded.fields')}`,
        updated_at: NOW,
      })),
    )
    .execute();
}
