import { setImmediate } from 'node:timers/promises';
import type { Locale } from '@officium/contract/common';
import type { CheckFinding, listContentFindings } from '@officium/contract/content-checks';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import type { Ctx } from '#server/ctx.ts';
import { pagePath } from '#server/page-address.ts';
import { pickText } from '#server/text/localised.ts';
import { blocksOf } from './blocks.policy.ts';
import { compareShapes, shapeOf, sourceOf, type TextShape } from './translation.policy.ts';
import { checkText } from './publish-check.policy.ts';
import { findPublishedTexts, findSources, type PublishedText } from './publish-check.repository.ts';

/** Texts read from the database per statement. */
const AT_ONCE = 100;
const MAX_CACHED = 50_000;
type Checked = { findings: readonly CheckFinding[]; shape: TextShape };
/** Cached results by digest. They never go stale, because a changed text has a new digest. */
const checkedByDigest = new Map<string, Checked>();

type Query = InputOf<typeof listContentFindings>['query'];

/** Returns a page of the findings in all published texts. */
export async function listFindings(
  ctx: Ctx,
  { query, locale }: { query: Query; locale: Locale },
): Promise<ReplyOf<typeof listContentFindings>> {
  const texts = await findPublishedTexts(ctx.db);
  await checkNew(ctx, texts);
  const differences = differencesOf(texts);
  const { severity, rule, language, limit, offset } = query;
  const match = query.match?.toLowerCase() ?? '';
  const findings = texts
    .filter((text) => language === undefined || text.locale === language)
    .map((text) => ({ text, title: pickText(text.title, locale).text, course: courseOf(text, locale) }))
    .filter(({ text, title, course }) =>
      [title, course ?? '', text.file ?? ''].some((words) => words.toLowerCase().includes(match)),
    )
    .flatMap(({ text, text: { kind, page, locale, file, digest }, title, course }) =>
      [...(checkedByDigest.get(digest)?.findings ?? []), ...(differences.get(text) ?? [])]
        .filter((finding) => severity === undefined || finding.severity === severity)
        .filter((finding) => rule === undefined || finding.rule === rule)
        .map((finding) => ({ ...finding, kind, title, course, path: pagePath(page), locale, file })),
    );
  return {
    findings: findings.slice(offset, offset + limit),
    total: findings.length,
    texts: texts.length,
    languages: [...new Set(texts.map((text) => text.locale))].sort(),
  };
}

/** Compares each translation with the text in the source language. */
function differencesOf(texts: readonly PublishedText[]): Map<PublishedText, readonly CheckFinding[]> {
  const differences = new Map<PublishedText, readonly CheckFinding[]>();
  for (const group of Map.groupBy(texts, ({ kind, key }) => `${kind} ${key}`).values()) {
    const source = sourceOf(group.map(({ locale }) => locale));
    const original = group.find(({ locale }) => locale === source);
    const before = original && checkedByDigest.get(original.digest)?.shape;
    for (const text of group) {
      const after = checkedByDigest.get(text.digest)?.shape;
      if (before && after && text !== original) differences.set(text, compareShapes(before, after));
    }
  }
  return differences;
}

function courseOf({ course }: PublishedText, locale: Locale): string | null {
  return course && pickText(course, locale).text;
}

/** Checks texts that are not in the cache. Yields to the event loop between texts. */
async function checkNew(ctx: Ctx, texts: readonly PublishedText[]): Promise<void> {
  const unknown = texts.filter(({ digest }) => !checkedByDigest.has(digest));
  for (let from = 0; from < unknown.length; from += AT_ONCE) {
    const some = unknown.slice(from, from + AT_ONCE);
    const sources = await findSources(
      ctx.db,
      some.map(({ kind, key, locale }) => ({ kind, key, locale })),
    );
    for (const { kind, digest, locale } of some) {
      const source = sources.get(digest);
      // The source is undefined if the text has just changed.
      if (source !== undefined)
        checkedByDigest.set(digest, {
          findings: checkText(source, locale, blocksOf(kind === 'course' ? 'lesson' : kind)),
          shape: shapeOf(source),
        });
      await setImmediate();
    }
  }
  for (const [digest] of checkedByDigest) {
    if (checkedByDigest.size <= MAX_CACHED) break;
    checkedByDigest.delete(digest);
  }
}
