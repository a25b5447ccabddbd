import type { SiteNotice } from '@officium/contract/site-notices';
import type { NoticeRow, NoticeValues } from './notice.repository.ts';

export function valuesOf({ level, audience, texts, url, starts_at, ends_at }: NoticeRow): NoticeValues {
  const endsAt = ends_at?.toISOString() ?? null;
  return { level, audience, texts, url, startsAt: starts_at.toISOString(), endsAt };
}

export function toNotice(row: NoticeRow): SiteNotice {
  const { id, version, state, changed_at } = row;
  return { ...valuesOf(row), id, version, state, changedAt: changed_at.toISOString() };
}
