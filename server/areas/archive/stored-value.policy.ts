import { HttpUrl } from '@officium/contract/common';
import { Address } from '@officium/contract/site';
import { fileOf } from '#server/areas/catalogue/stored-asset.view.ts';

/** The key of a stored file, which becomes part of a path. */
export const isAssetKey = (value: unknown): boolean => typeof value === 'string' && fileOf(value) !== undefined;

/** No address, or one on the web. */
export const isHttpUrl = (value: unknown): boolean => value === null || HttpUrl.safeParse(value).success;

/** No address, or one that a notice can have. */
export const isAddress = (value: unknown): boolean => value === null || Address.safeParse(value).success;
