import { ARTICLE_LIMITS, ArticleInput } from '@officium/contract/content';
import { describe, expect, it } from 'vitest';
import { articleOf, bytesOf, lengthOf, LIMITS, toFieldIssues, valuesOf } from './article-form.ts';

const form = (values: Record<string, string>) => {
  const fields = new FormData();
  for (const [name, value] of Object.entries(values)) fields.set(name, value);
  return fields;
};
const updatedAt = '2026-11-27T09:30:00.000Z';
const article = {
  title: 'A letter people can use',
  subtitle: 'What changed when we watched',
  body: 'We wrote it three times.',
  tldr: 'Watch people.',
  tags: ['topic_Climate', 'topic_Education'] as ('topic_Climate' | 'topic_Education')[],
  humanTranslation: false,
  locale: 'fr' as const,
  coverImage: {
    url: 'https://images.example.org/a.jpg',
    width: 1200,
    height: 800,
    authorName: 'Somebody',
    authorLink: 'https://images.example.org/somebody',
    description: 'A desk',
    title: null,
    color: '#0b6e6e',
  },
};

describe('the form of an article', () => {
  it('has the limits of the contract', () => {
    expect(LIMITS.title).toEqual(ARTICLE_LIMITS.title);
    expect(LIMITS.subtitle).toEqual(ARTICLE_LIMITS.subtitle);
    expect(LIMITS.body).toEqual({ min: ARTICLE_LIMITS.bodyMin, maxBytes: ARTICLE_LIMITS.bodyMaxBytes });
    expect([LIMITS.tldr.max, LIMITS.tags]).toEqual([ARTICLE_LIMITS.tldrMax, ARTICLE_LIMITS.tags]);
  });

  it('reads back the article it was filled with', () => {
    for (const one of [article, { ...article, coverImage: null, tags: [], tldr: null, humanTranslation: true }])
      expect(ArticleInput.parse(articleOf(form(valuesOf({ ...one, updatedAt }))))).toEqual(one);
  });

  it('reports each error in a cover at its field', () => {
    const parsed = ArticleInput.safeParse(
      articleOf(form({ ...valuesOf({ ...article, coverImage: null, updatedAt }), cover_url: 'x' })),
    );
    const issues = parsed.error!.issues.map(({ path, message }) => ({ path: path.join('.'), message })); // parsing failed above
    expect(toFieldIssues(issues).map(({ path }) => path)).toEqual([
      'cover_url',
      'cover_height',
      'cover_width',
      'cover_authorName',
      'cover_authorLink',
    ]);
    expect(
      toFieldIssues([
        { path: 'tags.1', message: 'x' },
        { path: 'title', message: 'y' },
      ]).map(({ path }) => path),
    ).toEqual(['tags', 'title']);
  });

  it('counts characters like the API', () => {
    expect([lengthOf('  🧑🏽‍💼 a '), lengthOf(' '), bytesOf(' é😀 ')]).toEqual([6, 0, 6]);
  });
});
