import { setTimeout as pause } from 'node:timers/promises';
import { uploadProfileImage } from '@officium/contract/assets';
import { addressOf } from '@officium/contract/client';
import sharp from 'sharp';
import { startObjectStore } from '../../server/test/object-store.ts';
import type { Drill } from '../drill.ts';
import { atMost, none } from '../figures.ts';
import { openGate, type GateMode } from '../gate.ts';
import { openSandbox, request, type Answer, type SandboxNode } from '../sandbox.ts';
import { inSeconds, scaled, share, steadily, until, inTurn } from '../measures.ts';
import type { Person } from '../fixture.ts';

const BUCKET = 'pictures';
const PEOPLE = 40;
const SECONDS = 40;
const FAILURES: GateMode[] = ['shut', 'stalled', 'mute'];

async function upload(node: SandboxNode, as: Person, picture: Buffer<ArrayBuffer>): Promise<Answer> {
  const form = new FormData();
  form.set('file', new Blob([picture], { type: 'image/png' }), 'me.png');
  return await request(`${node.url}${addressOf(uploadProfileImage, { params: { userId: 'me' } })}`, {
    as,
    method: 'POST',
    body: form,
  });
}

export const drill: Drill = {
  name: 'storage',
  description: `Keeps profile pictures in an object store behind a gate that refuses connections, accepts them without answering, and drops the store’s answers, ${SECONDS} seconds each, while people upload pictures and read pages. Skips the ten minutes after which files of failed uploads are removed.`,
  async run({ scale, print }) {
    const store = await startObjectStore(BUCKET);
    const gate = await openGate(Number(new URL(store.settings.endpoint ?? '').port));
    const sandbox = await openSandbox();
    try {
      const settings = { ...store.settings, endpoint: `http://localhost:${gate.port}` };
      const node = await sandbox.start({
        STORAGE_URL: `s3://${BUCKET}?endpoint=${encodeURIComponent(settings.endpoint)}&region=${settings.region}`,
        AWS_ACCESS_KEY_ID: 'S3RVER',
        AWS_SECRET_ACCESS_KEY: 'S3RVER',
        LOG_LEVEL: 'fatal',
      });
      const people = await sandbox.makePeople(scaled(PEOPLE, Math.max(scale, 0.1)));
      const newPicture = (shade: number) =>
        sharp({ create: { width: 600, height: 600, channels: 3, background: { r: shade, g: 90, b: 160 } } })
          .png()
          .toBuffer() as Promise<Buffer<ArrayBuffer>>; // sharp declares a wider type
      const [first, second] = [await newPicture(10), await newPicture(200)];
      const old = new Map<string, string>();
      for (const person of people) {
        const { status, body } = await upload(node, person, first);
        if (status !== 201) throw new Error(`an upload responded ${status}`);
        old.set(person.id, new URL(body.thumbnailURL).pathname);
      }
      const personAt = inTurn(people);

      const uploads: Answer[] = [];
      const pages: Answer[] = [];
      const pictures: Answer[] = [];
      for (const mode of FAILURES) {
        gate.set(mode);
        const sending = steadily(2, (nth) => upload(node, personAt(nth), second));
        const reading = steadily(5, (nth) =>
          request(`${node.url}/people/${personAt(nth).id}`, { as: personAt(nth + 1) }),
        );
        const showing = steadily(2, (nth) => request(`${node.url}${old.get(personAt(nth).id)}`));
        await pause(1000 * SECONDS * Math.max(scale, 0.1));
        uploads.push(...(await sending.stop()));
        pages.push(...(await reading.stop()));
        pictures.push(...(await showing.stop()));
        print(`${mode}: ${uploads.length} uploads and ${pages.length} pages so far`);
      }
      gate.set('open');

      let lost = 0;
      for (const address of old.values()) if ((await request(`${node.url}${address}`)).status !== 200) lost += 1;
      const again = await upload(node, personAt(0), second);
      await sandbox.rows(
        `update jobs.job set start_after = now() where name = 'account.remove-pictures' and state = 'created'`,
      );
      await until(
        'unreferenced pictures are removed',
        async () =>
          (await sandbox.rows(`select 1 from jobs.job where name = 'account.remove-pictures' and state < 'completed'`))
            .length === 0,
        300_000,
      );
      const keys = new Set((await store.keys()).filter((key) => key.startsWith('profiles/')));
      const rows = await sandbox.rows<{ id: string }>('select id from profile_images');
      const wanted = rows.flatMap(({ id }) => [`profiles/${id}-512.webp`, `profiles/${id}-128.webp`]);
      const missing = wanted.filter((key) => !keys.has(key)).length;
      const slowest = Math.max(...[...uploads, ...pictures].map(({ ms }) => ms)) / 1000;
      return [
        share('uploads answered 503', uploads.filter(({ status }) => status === 503).length, uploads.length, 1),
        share('pictures answered 503', pictures.filter(({ status }) => status === 503).length, pictures.length, 1),
        atMost('slowest of these answers', slowest, 5, inSeconds),
        share('pages that succeeded', pages.filter(({ status }) => status === 200).length, pages.length, 0.999),
        none('earlier pictures lost', lost, old.size),
        none('rows without their files', missing, wanted.length),
        none('files without a row', keys.size - (wanted.length - missing), keys.size),
        none('uploads refused after the store recovered', again.status === 201 ? 0 : 1, 1),
      ];
    } finally {
      await sandbox.close();
      await gate.close();
      await store.stop();
    }
  },
};
