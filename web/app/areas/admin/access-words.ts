import { ACCESS_SCOPES, ACCESS_TYPES, type AccessScope } from '@officium/contract/product-access';
import type { Text } from '../../text.tsx';
import type { Option } from '../../ui/field.tsx';

/** The choice of a journey that follows its course. */
export const AS_COURSE = 'course';

type Words = Pick<Text, 't'>;
type AccessType = (typeof ACCESS_TYPES)[number];

export const typeOptions = ({ t }: Words): Option[] =>
  ACCESS_TYPES.map((type) => ({ value: type, label: t(`admin.products_type_${type}`) }));

export const typeWord = ({ t }: Words, type: AccessType): string => t(`admin.products_type_${type}`);

export const scopeOptions = ({ t }: Words): Option[] =>
  ACCESS_SCOPES.map((scope) => ({ value: scope, label: t(`admin.products_scope_${scope}`) }));

/** Short enough for the columns of the table. */
export const shortScopeOptions = ({ t }: Words): Option[] =>
  ACCESS_SCOPES.map((scope) => ({ value: scope, label: t(`admin.products_short_${scope}`) }));

export const scopeWord = ({ t }: Words, scope: AccessScope): string => t(`admin.products_scope_${scope}`);

/** Returns `given` if it is one of `words`. */
export function oneOf<Word extends string>(words: readonly Word[], given: string | null): Word | undefined {
  return words.find((word) => word === given);
}
