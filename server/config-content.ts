import { ConfigError } from './errors.ts';

const USUAL_CONTENT_HOST = 'https://cdn.contentful.com';

type Name = 'CONTENT_SPACE' | 'CONTENT_TOKEN' | 'CONTENT_HOST' | 'CONTENT_ENVIRONMENT';
type Given = Partial<Record<Name, string | undefined>>;

/** The content platform to fetch entries from; undefined when events only update the index. */
export function contentPlatformOf(settings: Given) {
  const { CONTENT_SPACE: space, CONTENT_TOKEN: token, CONTENT_HOST, CONTENT_ENVIRONMENT } = settings;
  if (space !== undefined && token !== undefined)
    return { space, token, host: CONTENT_HOST ?? USUAL_CONTENT_HOST, environment: CONTENT_ENVIRONMENT ?? 'master' };
  const others = Object.entries({ CONTENT_SPACE: space, CONTENT_TOKEN: token, CONTENT_HOST, CONTENT_ENVIRONMENT });
  const [lone] = others.find(([, value]) => value !== undefined) ?? [];
  if (lone === undefined) return undefined;
  throw new ConfigError(`${space === undefined ? 'CONTENT_SPACE' : 'CONTENT_TOKEN'}: is required with ${lone}`);
}
