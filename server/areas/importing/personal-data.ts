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

const OF_CONTENT = 'content of the platform';

export const contentPieces = definePersonalTable({
  table: 'content_pieces',
  part: 'writing',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    kind: 'kind',
    key: 'id',
    entry_id: leftOut(OF_CONTENT),
    parent: leftOut(OF_CONTENT),
    version: leftOut(OF_CONTENT),
    source_locale: leftOut(OF_CONTENT),
    draft: leftOut(OF_CONTENT),
    texts: leftOut(OF_CONTENT),
    user_id: leftOut('the person'),
    changed_at: 'updatedAt',
  },
  order: 'changed_at',
  erase: { rows: 'nameless', why: 'A draft of the platform stays, changed by “Deleted user”.' },
});

export const contentVersions = definePersonalTable({
  table: 'content_versions',
  part: 'writing',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    kind: 'kind',
    key: 'id',
    number: leftOut(OF_CONTENT),
    source: leftOut(OF_CONTENT),
    doc: leftOut(OF_CONTENT),
    user_id: leftOut('the person'),
    made_at: 'createdAt',
  },
  order: 'made_at',
  erase: { rows: 'nameless', why: 'What was published stays, published by “Deleted user”.' },
});

export const contentImports = definePersonalTable({
  table: 'content_imports',
  part: 'writing',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: 'id',
    user_id: leftOut('the person'),
    name: 'name',
    bytes: leftOut(OF_CONTENT),
    files: leftOut(OF_CONTENT),
    state: 'status',
    step: leftOut(OF_CONTENT),
    step_done: leftOut(OF_CONTENT),
    step_total: leftOut(OF_CONTENT),
    summary: leftOut(OF_CONTENT),
    items: leftOut(OF_CONTENT),
    faults: leftOut(OF_CONTENT),
    fault_count: leftOut(OF_CONTENT),
    warnings: leftOut(OF_CONTENT),
    warning_count: leftOut(OF_CONTENT),
    created_at: 'createdAt',
    begun_at: leftOut(OF_CONTENT),
    finished_at: leftOut(OF_CONTENT),
  },
  order: 'created_at',
  erase: { rows: 'nameless', why: 'What was imported stays, sent by “Deleted user”; the row goes after 90 days.' },
});

const TRANSLATED = 'made by a machine from a text that is exported';

export const machineTranslations = definePersonalTable({
  table: 'machine_translations',
  part: 'writing',
  isAbout: ({ id }) => sql`t.thing_id in (
    select a.id from activities a where a.author_id = ${id} union all
    select r.id from reactions r where r.user_id = ${id} and r.kind = 'reply' union all
    select a.id from articles a where a.author_id = ${id})`,
  columns: {
    thing_id: leftOut(TRANSLATED),
    part: leftOut(TRANSLATED),
    source: leftOut(TRANSLATED),
    target: leftOut(TRANSLATED),
    engine: leftOut(TRANSLATED),
    content_hash: leftOut(TRANSLATED),
    translation: leftOut(TRANSLATED),
    made_at: leftOut(TRANSLATED),
  },
  order: 'made_at',
  erase: {
    rows: 'kept',
    why: 'They say nothing of a person but what the text says, and go with it or when it is changed.',
  },
});
