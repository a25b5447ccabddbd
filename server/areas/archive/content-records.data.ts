import { leftOut } from '#server/personal-data/define.ts';
import { defineRecords, type RecordKind } from './record.format.ts';
import { isAssetKey } from './stored-value.policy.ts';

const entriesRecords = defineRecords({
  file: 'entries',
  table: 'entries',
  about: 'The published and withdrawn entries of the catalogue, with their fields as the content platform sent them',
  fields: {
    id: 'id',
    content_type: 'contentType',
    status: 'status',
    version: 'version',
    source: 'source',
    slug: 'slug',
    fields: 'fields',
    fallbacks: 'fallbacks',
    created_at: 'createdAt',
    updated_at: 'updatedAt',
  },
  order: ['id'],
});

const productsRecords = defineRecords({
  file: 'products',
  table: 'products',
  about: 'The access rules of an entry',
  fields: {
    entry_id: 'entryId',
    content_type: 'contentType',
    can_view: 'canView',
    can_join: 'canJoin',
    is_set: 'isSet',
    created_at: 'createdAt',
    updated_at: 'updatedAt',
  },
  order: ['entry_id'],
});

const picturesRecords = defineRecords({
  file: 'pictures',
  table: 'content_assets',
  about: 'The pictures, recordings and documents of the catalogue; `key` names the file below `files/content-assets/`',
  fields: {
    path: 'path',
    entry_id: 'entryId',
    key: 'key',
    mime: 'mime',
    bytes: 'bytes',
    hash: 'hash',
    title: 'title',
  },
  order: ['path'],
  checked: { key: isAssetKey },
});

export const STORED_FILES_RECORDS = defineRecords({
  file: 'stored-files',
  table: 'stored_files',
  about: 'The files below `files/content-assets/`, also those that only drafts and versions name',
  fields: { key: 'key', bytes: 'bytes', user_id: 'userId', stored_at: 'storedAt', is_private: 'isPrivate' },
  order: ['key'],
  checked: { key: isAssetKey },
});

const academiesRecords = defineRecords({
  file: 'academies',
  table: 'academies',
  about: 'Academies',
  fields: {
    id: 'id',
    slug: 'slug',
    title: 'title',
    description: 'description',
    cover: 'cover',
    cover_alt: 'coverAlt',
    position: 'position',
    topics: 'topics',
  },
  order: ['id'],
});

const coursesRecords = defineRecords({
  file: 'courses',
  table: 'courses',
  about: 'Courses',
  fields: {
    id: 'id',
    slug: 'slug',
    type: 'type',
    title: 'title',
    summary: 'summary',
    cover: 'cover',
    cover_alt: 'coverAlt',
    human_translation: 'humanTranslation',
    position: 'position',
    topics: 'topics',
  },
  order: ['id'],
});

const academyCoursesRecords = defineRecords({
  file: 'academy-courses',
  table: 'academy_courses',
  about: 'The courses of an academy',
  fields: {
    academy_id: 'academyId',
    course_id: 'courseId',
    position: 'position',
  },
  order: ['academy_id', 'course_id'],
});

const microcoursesRecords = defineRecords({
  file: 'microcourses',
  table: 'microcourses',
  about: 'Microcourses',
  fields: {
    id: 'id',
    slug: 'slug',
    title: 'title',
    summary: 'summary',
    minutes: 'minutes',
    cover: 'cover',
    cover_alt: 'coverAlt',
    human_translation: 'humanTranslation',
    position: 'position',
    topics: 'topics',
  },
  order: ['id'],
});

const communitiesRecords = defineRecords({
  file: 'communities',
  table: 'communities',
  about: 'Communities',
  fields: {
    id: 'id',
    entry_id: 'entryId',
    slug: 'slug',
    title: 'title',
    description: 'description',
    privacy: 'privacy',
    locale: 'language',
    categories: 'categories',
    rules: 'rules',
    cover: 'cover',
    cover_alt: 'coverAlt',
    member_count: leftOut('a counter, which is rebuilt'),
    position: 'position',
    created_at: 'createdAt',
  },
  order: ['id'],
});

/** In the order in which they are read back. */
export const CONTENT_RECORDS: readonly RecordKind[] = [
  entriesRecords,
  productsRecords,
  picturesRecords,
  academiesRecords,
  coursesRecords,
  academyCoursesRecords,
  microcoursesRecords,
  communitiesRecords,
];
