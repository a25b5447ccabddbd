/** A player of another site: its page there, and the address of the player alone. */
export type Embed = { site: string; host: string; player: string };

const YOUTUBE = /^(?:(?:www|m)\.)?youtube(?:-nocookie)?\.com$/;
const YOUTUBE_ID = /^[\w-]{11}$/;
const PEERTUBE = /^\/(?:w|videos\/watch|videos\/embed)\/([\w-]{8,40})$/;

/**
 * Reads the address of a video at YouTube, Vimeo or a PeerTube instance, which an installation allows by name. Undefined
 * for any other address. Players are those that set no cookie before playing, where there are such.
 */
export function readEmbed(address: string): Embed | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.password !== '') return undefined;
  const { hostname } = url;
  if (YOUTUBE.test(hostname) || hostname === 'youtu.be') return youtube(url);
  if (/^(?:www\.|player\.)?vimeo\.com$/.test(hostname)) return vimeo(url);
  const [, id] = PEERTUBE.exec(url.pathname) ?? [];
  return id === undefined
    ? undefined
    : { site: hostname, host: hostname, player: `https://${hostname}/videos/embed/${id}?p2p=0` };
}

function youtube({ hostname, pathname, searchParams }: URL): Embed | undefined {
  const [, kind = '', last = ''] = pathname.split('/');
  const inPath = ['embed', 'shorts', 'live'].includes(kind) ? last : (searchParams.get('v') ?? '');
  const id = hostname === 'youtu.be' ? kind : inPath;
  if (!YOUTUBE_ID.test(id)) return undefined;
  const [, start] = /^(\d{1,6})s?$/.exec(searchParams.get('t') ?? searchParams.get('start') ?? '') ?? [];
  const host = 'www.youtube-nocookie.com';
  return { site: 'YouTube', host, player: `https://${host}/embed/${id}${start ? `?start=${start}` : ''}` };
}

function vimeo({ pathname, searchParams }: URL): Embed | undefined {
  const [, id, inPath] = /^\/(?:video\/)?(\d{5,12})(?:\/([0-9a-f]{6,20}))?\/?$/.exec(pathname) ?? [];
  if (id === undefined) return undefined;
  const [hash] = /^[0-9a-f]{6,20}$/.exec(inPath ?? searchParams.get('h') ?? '') ?? [];
  const host = 'player.vimeo.com';
  return { site: 'Vimeo', host, player: `https://${host}/video/${id}?dnt=1${hash ? `&h=${hash}` : ''}` };
}

/** Whether an installation that names these PeerTube instances shows the player. */
export function isAllowedEmbed({ site, host }: Embed, peertubeHosts: readonly string[]): boolean {
  return site === 'YouTube' || site === 'Vimeo' || peertubeHosts.includes(host);
}
