import type { readProfile } from '@officium/contract/account';
import type { ReplyOf } from '@officium/contract/endpoint';

export type ProfileData = ReplyOf<typeof readProfile>;
