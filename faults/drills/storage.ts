import { uploadProfileImage } from '@officium/contract/assets';
import { addressOf } from '@officium/contract/client';
import sharp from 'sharp';
import { startObjectStore } from '../../server/test/object-store.ts';
import type { Drill } from '../drill.ts';
import { atMost, none } from '../figures.ts';
import { openGate, type GateMode } from '../gate.ts';
import { openInstallation, request, type Answer, type Node } from '../installation.ts';
import { inSeconds, pause, scaled, share, steadily, until } from '../measures.ts';
import type { Person } from '../world.ts';

const BUCKET = 'pictures';
const PEOPLE = 40;
const SECONDS = 40;
const FAILURES: GateMode[] = ['shut', 'stalled', 'mute'];

async function upload(node: Node, as: Person, picture: Buffer<ArrayBuffer>): Promise<Answer> {
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
  does: `Keeps the pictures of people in an object store behind a gate, and shuts the gate, lets it take connections without answering, and lets it swallow the store's answers, ${SECONDS} seconds each, while people send pictures and read pages. The ten minutes after which the leftovers of an upload are removed are left out.`,
  async run({ scale, say }) {
    const store = await startObjectStore(BUCKET);
    const gate = await openGate(Number(new URL(store.settings.endpoint ?? '').port));
    const house = await openInstallation();
    try {
      const settings = { ...store.settings, endpoint: `http://localhost:${gate.port}` };
      const node = await house.start({
        STORAGE_URL: `s3://${BUCKET}?endpoint=${encodeURIComponent(settings.endpoint)}&region=${settings.region}`,
        AWS_ACCESS_KEY_ID: 'S3RVER',
        AWS_SECRET_ACCESS_KEY: 'S3RVER',
        LOG_LEVEL: 'fatal',
      });
      const people = await house.makePeople(scaled(PEOPLE, Math.max(scale, 0.1)));
      const newPicture = (shade: number) =>
        sharp({ create: { width: 600, height: 600, channels: 3, background: { r: shade, g: 90, b: 160 } } })
          .png()
          .toBuffer() as Promise<Buffer<ArrayBuffer>>; // sharp's type is wider
      const [first, second] = [await newPicture(10), await newPicture(200)];
      const old = new Map<string, string>();
      for (const person of people) {
        const { status, body } = await upload(node, person, first);
        if (status !== 201) throw new Error(`an upload was answered ${status}`);
        old.set(person.id, new URL(body.thumbnailURL).pathname);
      }
      const somebody = (nth: number) => people[nth % people.length]!; // within the list

      const uploads: Answer[] = [];
      const pages: Answer[] = [];
      const pictures: Answer[] = [];
      for (const mode of FAILURES) {
        gate.set(mode);
        const sending = steadily(2, (nth) => upload(node, somebody(nth), second));
        const reading = steadily(5, (nth) =>
          request(`${node.url}/people/${somebody(nth).id}`, { as: somebody(nth + 1) }),
        );
        const showing = steadily(2, (nth) => request(`${node.url}${old.get(somebody(nth).id)}`));
        await pause(1000 * SECONDS * Math.max(scale, 0.1));
        uploads.push(...(await sending.stop()));
        pages.push(...(await reading.stop()));
        pictures.push(...(await showing.stop()));
        say(`${mode}: ${uploads.length} uploads and ${pages.length} pages so far`);
      }
      gate.set('open');

      let lost = 0;
      for (const address of old.values()) if ((await request(`${node.url}${address}`)).status !== 200) lost += 1;
      const again = await upload(node, somebody(0), second);
      await house.rows(
        `update jobs.job set start_after = now() where name = 'account.remove-pictures' and state = 'created'`,
      );
      await until(
        'what nobody shows is removed',
        async () =>
          (await house.rows(`select 1 from jobs.job where name = 'account.remove-pictures' and state < 'completed'`))
            .length === 0,
        300_000,
      );
      const keys = new Set((await store.keys()).filter((key) => key.startsWith('profiles/')));
      const rows = await house.rows<{ id: string }>('select id from profile_images');
      const wanted = rows.flatMap(({ id }) => [`profiles/${id}-512.webp`, `profiles/${id}-128.webp`]);
      const missing = wanted.filter((key) => !keys.has(key)).length;
      const slowest = Math.max(...[...uploads, ...pictures].map(({ ms }) => ms)) / 1000;
      return [
        share(
          'uploads that were answered 503',
          uploads.filter(({ status }) => status === 503).length,
          uploads.length,
          1,
        ),
        share(
          'pictures that were answered 503',
          pictures.filter(({ status }) => status === 503).length,
          pictures.length,
          1,
        ),
        atMost('slowest of these answers', slowest, 5, inSeconds),
        share('pages answered as usual', pages.filter(({ status }) => status === 200).length, pages.length, 0.999),
        none('earlier pictures lost', lost, old.size),
        none('rows without their files', missing, wanted.length),
        none('files that are nobody’s', keys.size - (wanted.length - missing), keys.size),
        none('uploads refused once the store is back', again.status === 201 ? 0 : 1, 1),
      ];
    } finally {
      await house.close();
      await gate.close();
      await store.stop();
    }
  },
};
