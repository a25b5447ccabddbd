import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort, ROOT } from '../../server/test/process.ts';
import { isRoot } from '../../server/db/embedded/place.ts';
import { runChild, startChild, untilReady } from './child.ts';
import type { Workshop } from './workshop.ts';

const NGINX = '/usr/sbin/nginx';

/**
 * nginx for the given ports with deploy/nginx.conf, except for the addresses, the certificate and the connection limit
 * per address, since all load comes from one. `isTls` keeps TLS and HTTP/2 with a self-signed certificate.
 */
export async function startNginx(
  workshop: Workshop,
  { ports, isTls = false }: { ports: readonly number[]; isTls?: boolean },
): Promise<{ url: string }> {
  const port = await freePort();
  const folder = await workshop.place('nginx');
  const log = join(workshop.folder, 'nginx.log');
  const given = await readFile(join(ROOT, 'deploy/nginx.conf'), 'utf8');
  const site = adapt(given, { port, ports, isTls, folder });
  await writeFile(join(folder, 'site.conf'), site);
  await writeFile(
    join(folder, 'nginx.conf'),
    [
      'daemon off;',
      ...(isRoot() ? ['user root;'] : []),
      'worker_processes 1;',
      `pid ${folder}/nginx.pid;`,
      `error_log ${log} warn;`,
      'events { worker_connections 8192; }',
      'http {',
      'access_log off;',
      ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`),
      `include ${folder}/site.conf;`,
      '}',
    ].join('\n'),
  );
  if (isTls)
    await runChild(
      'openssl',
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
        .concat(['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'])
        .concat(['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'certificate.pem')]),
      { log },
    );
  const child = startChild(NGINX, ['-p', folder, '-c', join(folder, 'nginx.conf')], { log });
  workshop.atEnd(async () => {
    child.kill('SIGTERM');
    await child.ended;
  });
  const url = `${isTls ? 'https' : 'http'}://localhost:${port}`;
  await untilReady('nginx', child, async () => await listens(port));
  return { url };
}

/**
 * Replaces a line of the file that operators get. Throws when the line is missing, so that changes do not go unnoticed.
 */
function replaced(text: string, what: RegExp, by: string): string {
  if (!what.test(text)) throw new Error(`deploy/nginx.conf has no match for ${what}`);
  return text.replace(what, by);
}

function adapt(
  given: string,
  { port, ports, isTls, folder }: { port: number; ports: readonly number[]; isTls: boolean; folder: string },
): string {
  const servers = ports.map((one) => `  server 127.0.0.1:${one} max_fails=3 fail_timeout=5s;`).join('\n');
  let text = replaced(given, /(^ {2}server 127\.0\.0\.1:\d+.*;\n)+/m, `${servers}\n`);
  text = replaced(text, /^server \{\n {2}listen 80;[^}]*\}\n[^}]*\}\n/m, '');
  text = replaced(
    text,
    /^ {2}listen 443[^;]*;\n {2}listen \[::\]:443[^;]*;/m,
    `  listen 127.0.0.1:${port}${isTls ? ' ssl http2' : ''};`,
  );
  text = replaced(text, /^ {2}server_name .*;/m, '  server_name localhost;');
  text = replaced(text, /^ {2}limit_conn per_address \d+;/m, '  limit_conn per_address 10000;');
  if (isTls) {
    text = replaced(text, /^ {2}ssl_certificate .*;/m, `  ssl_certificate ${folder}/certificate.pem;`);
    return replaced(text, /^ {2}ssl_certificate_key .*;/m, `  ssl_certificate_key ${folder}/key.pem;`);
  }
  return text.replaceAll(/^ {2}ssl_.*;\n/gm, '');
}

/** Whether a local port accepts connections. */
export async function listens(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
