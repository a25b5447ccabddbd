import type { Locale } from '@officium/contract/common';
import type { Changes } from '@officium/contract/learner';
import type { z } from 'zod';
import { pickText } from '#server/text/localised.ts';
import type { ChangesJson } from './learner.rows.ts';

export function toChanges(changes: ChangesJson | null, locale: Locale): z.output<typeof Changes> | null {
  if (!changes) return null;
  const toLink = ({ slug, title }: ChangesJson['added'][number]) => ({ slug, title: pickText(title, locale).text });
  const { revision, added, changed, removed } = changes;
  return { revision, added: added.map(toLink), changed: changed.map(toLink), removed };
}
