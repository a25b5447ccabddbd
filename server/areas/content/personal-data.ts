import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

export const academyMembers = definePersonalTable({
  table: 'academy_members',
  part: 'learning',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    academy_id: leftOut('`academy` names it'),
    user_id: leftOut('the person'),
    joined_at: 'joinedAt',
  },
  also: () => ({ academy: sql`(select slug from academies where id = t.academy_id)` }),
  order: 'joined_at',
  erase: { rows: 'deleted' },
});

export const communityOwnerClaims = definePersonalTable({
  table: 'community_owner_claims',
  part: 'communities',
  isAbout: ({ email }) => sql`t.email = ${email}`,
  columns: {
    community_id: leftOut('`community` names it'),
    email: 'email',
    position: leftOut('where the content folder names it'),
  },
  also: () => ({ community: sql`(select slug from communities where id = t.community_id)` }),
  order: 'community_id',
  erase: { rows: 'deleted' },
});

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
