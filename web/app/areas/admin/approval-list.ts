import { RULE_SORTS } from '@officium/contract/approval-review';
import { oneOf } from './access-words.ts';
import { RULE_TYPES } from './approval-words.ts';
import { listingOf } from '../../admin/listing.ts';

/** The state of the list of rules, as read from its address. */
export function rulesListOf(url: URL) {
  const asked = url.searchParams;
  return {
    listing: listingOf(url),
    filters: {
      type: oneOf(RULE_TYPES, asked.get('type')),
      warned: oneOf(['true'], asked.get('warned')),
      sort: oneOf(RULE_SORTS, asked.get('sort')) ?? ('value' as const),
    },
  };
}
