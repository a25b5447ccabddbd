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
    human_translation: leftOut('of the platform'),
    tags: 'topics',
    cover_image: 'picture',
    tldr: 'summary',
    locale: 'language',
    seo_title: leftOut('made from the title'),
    seo_description: leftOut('made from the subtitle'),
    author_tag: leftOut('of the platform'),
    type: leftOut('of the platform'),
    minutes: leftOut('made from the text'),
    published_date: 'publishedAt',
    updated_at: 'updatedAt',
    withdrawn_at: 'withdrawnAt',
  },
  order: 'published_date',
  erase: { rows: 'nameless', why: 'Articles are for everyone to read and stay, by “Deleted user”.' },
});
