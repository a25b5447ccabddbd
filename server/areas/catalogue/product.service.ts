import { isScopePairValid, type Scope } from '#server/access/can.ts';
import type { Db } from '#server/db/client.ts';
import { invalid, notFound } from '#server/errors.ts';
import {
  findEntryAccess,
  findProducts,
  findProductsById,
  getCourseScopes,
  getScopes,
  hasEntry,
  insertProduct,
  lockScopes,
  unsetScopes,
  updateScopes,
  type EntryAccessRow,
  type EntryOrder,
  type ProductRow,
  type ScopesRow,
} from './product.repository.ts';

export {
  findEntryAccess,
  findProducts,
  findProductsById,
  type EntryAccessRow,
  type EntryOrder,
  type ProductRow,
  type ScopesRow,
};

/** Creates a private product for an entry. Returns false when it exists; throws 404 for an unknown entry. */
export async function addProduct(db: Db, id: string): Promise<boolean> {
  if (!(await hasEntry(db, id))) throw notFound();
  return await insertProduct(db, id);
}

export async function scopesOf(db: Db, id: string): Promise<ScopesRow> {
  const scopes = await getScopes(db, id);
  if (!scopes) throw notFound();
  return scopes;
}

/** Sets one scope of a product and returns both previous scopes; `field` is named in a refusal. `db` must be a transaction. */
export async function changeScope(
  db: Db,
  id: string,
  { permission, scope }: { permission: keyof ScopesRow; scope: Scope },
  field = 'scope',
): Promise<ScopesRow> {
  const before = await lockScopes(db, id);
  if (!before) throw notFound();
  const after = { ...before, [permission]: scope };
  if (!isScopePairValid(after.can_view, after.can_join))
    throw invalid(
      field,
      permission === 'can_join'
        ? `Joining cannot be open to more people than viewing, which is ${before.can_view}`
        : `Viewing cannot be open to fewer people than joining, which is ${before.can_join}: change can_join first`,
    );
  await updateScopes(db, id, after);
  return before;
}

/** Sets both scopes of a product and returns the previous ones. `db` must be a transaction. */
export async function replaceScopes(db: Db, id: string, scopes: ScopesRow): Promise<ScopesRow> {
  const before = await lockScopes(db, id);
  if (!before) throw notFound();
  if (!isScopePairValid(scopes.can_view, scopes.can_join))
    throw invalid('can_join', 'Joining cannot be open to more people than viewing');
  await updateScopes(db, id, scopes);
  return before;
}

/**
 * Makes a journey follow its course again. Returns its previous scopes and those of the course. `db` must be a
 * transaction.
 */
export async function followCourse(db: Db, id: string): Promise<{ before: ScopesRow; after: ScopesRow }> {
  const before = await lockScopes(db, id);
  if (!before) throw notFound();
  const after = await getCourseScopes(db, id);
  if (!after) throw invalid('as', 'Only a journey has a course');
  await unsetScopes(db, id);
  return { before, after };
}
