import { defineRecords, type RecordKind } from './record.format.ts';
import { isAddress } from './stored-value.policy.ts';

const siteVersionsRecords = defineRecords({
  file: 'site-versions',
  table: 'site_versions',
  about: 'The name, texts, colour and links of the site, each version',
  fields: { version: 'version', identity: 'identity', changed_at: 'changedAt' },
  order: ['version'],
});

const sitePageVersionsRecords = defineRecords({
  file: 'site-page-versions',
  table: 'site_page_versions',
  about: 'The pages that the site has written itself, each version in each language; without `body` it was withdrawn',
  fields: {
    kind: 'kind',
    locale: 'language',
    version: 'version',
    body: 'body',
    body_html: 'bodyHtml',
    changed_at: 'changedAt',
  },
  order: ['kind', 'locale', 'version'],
});

const siteNoticesRecords = defineRecords({
  file: 'site-notices',
  table: 'site_notices',
  about: 'The notices at the top of every page, also those that have ended',
  fields: {
    id: 'id',
    version: 'version',
    level: 'level',
    audience: 'audience',
    texts: 'texts',
    url: 'url',
    starts_at: 'startsAt',
    ends_at: 'endsAt',
    changed_at: 'changedAt',
  },
  order: ['id'],
  checked: { url: isAddress },
});

export const SITE_RECORDS: readonly RecordKind[] = [siteVersionsRecords, sitePageVersionsRecords, siteNoticesRecords];
