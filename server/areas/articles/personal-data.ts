import { ARTICLE_PICTURES } from '@officium/contract/article-pictures';
import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

export const articles = definePersonalTable({
  table: 'articles',
  part: 'writing',
  isAbout: ({ id }) => sql`t.author_id = ${id}`,
  columns: {
    id: 'id',
    slug: 'slug',
    author_id: leftOut('the person'),
    title: 'title',
    subtitle: 'subtitle',
    body: 'text',
    body_html: leftOut('made from the text'),
    headings: leftOut('made from the text'),
    human_translation: leftOut('set by the platform'),
    tags: 'topics',
    cover_image: 'picture',
    tldr: 'summary',
    locale: 'language',
    seo_title: leftOut('made from the title'),
    seo_description: leftOut('made from the subtitle'),
    author_tag: leftOut('set by the platform'),
    type: leftOut('set by the platform'),
    minutes: leftOut('made from the text'),
    published_date: 'publishedAt',
    updated_at: 'updatedAt',
    withdrawn_at: 'withdrawnAt',
    withdrawn_by: leftOut('the person, or another'),
  },
  order: 'published_date',
  erase: {
    rows: 'nameless',
    why: 'Articles are for everyone to read and stay, by “Deleted user”; those that the person deleted or moderators removed are deleted for good.',
    async run(db, { id }) {
      await db.deleteFrom('articles').where('author_id', '=', id).where('withdrawn_by', 'is not', null).execute();
      // Uploaded pictures go with the account, and the credit of such a cover names its author.
      await db
        .updateTable('articles')
        .set({ cover_image: null })
        .where('author_id', '=', id)
        .where(sql<boolean>`cover_image ->> 'url' like ${`${ARTICLE_PICTURES}%`}`)
        .execute();
    },
  },
});

export const articlePictures = definePersonalTable({
  table: 'article_pictures',
  part: 'writing',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: leftOut('exported as `file`'),
    key: leftOut('internal name of the file'),
    user_id: leftOut('the person'),
    article_id: leftOut('`slug` names it'),
    width: leftOut('a property of the file'),
    height: leftOut('a property of the file'),
    color: leftOut('a property of the file'),
    created_at: 'createdAt',
  },
  also: () => ({
    slug: sql`(select slug from articles where id = t.article_id)`,
    file: sql`'pictures/' || t.id || '.webp'`,
  }),
  order: 'created_at',
  erase: { rows: 'deleted' },
  async files(db, { id }) {
    const rows = await db.selectFrom('article_pictures').select(['id', 'key']).where('user_id', '=', id).execute();
    return rows.map((row) => ({ key: `content-assets/${row.key}`, name: `pictures/${row.id}.webp` }));
  },
});
