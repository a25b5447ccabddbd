import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

/** Records the SHA-256 of an issued PDF. */
export async function insertCertificateFile(
  db: Db,
  { publicId, sha256 }: { publicId: string; sha256: Buffer },
): Promise<void> {
  await db
    .insertInto('certificate_files')
    .columns(['certificate_id', 'sha256'])
    .expression((eb) =>
      eb
        .selectFrom('certificates')
        .select(['id', sql<Buffer>`${sha256}::bytea`.as('sha256')])
        .where('public_id', '=', publicId),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Whether a PDF with this SHA-256 was issued. Undefined if the number is unknown. */
export async function hasCertificateFile(
  db: Db,
  { publicId, sha256 }: { publicId: string; sha256: Buffer },
): Promise<boolean | undefined> {
  const row = await db
    .selectFrom('certificates as t')
    .select((eb) => {
      const file = eb.selectFrom('certificate_files as f').select('f.sha256').whereRef('f.certificate_id', '=', 't.id');
      return eb
        .exists(file.where('f.sha256', '=', sha256))
        .$castTo<boolean>()
        .as('has');
    })
    .where('t.public_id', '=', publicId)
    .executeTakeFirst();
  return row?.has;
}
