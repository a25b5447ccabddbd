import { expect, it } from 'vitest';
import { parseReply } from './deleted-user.ts';

const inGerman = () => Promise.resolve('Gelöschtes Konto');

it('translates the name of deleted accounts wherever a reply contains it', async () => {
  const said = {
    results: [
      { actor: { id: '1', name: 'Deleted user', isDeleted: true }, body: 'Deleted user' },
      { actor: { id: '2', name: 'Deleted user' } }, // a user with that very name
    ],
    versions: [{ by: 'Deleted user', isPersonDeleted: true }],
    entries: [{ actorName: 'Deleted user', isActorDeleted: true }],
  };
  const read = await parseReply(JSON.stringify(said, null, 1), inGerman);
  expect(read).toEqual({
    results: [{ ...said.results[0], actor: { id: '1', name: 'Gelöschtes Konto', isDeleted: true } }, said.results[1]],
    versions: [{ by: 'Gelöschtes Konto', isPersonDeleted: true }],
    entries: [{ actorName: 'Gelöschtes Konto', isActorDeleted: true }],
  });
});

it('looks the name up only when it is needed', async () => {
  const never = () => Promise.reject(new Error('looked up'));
  expect(await parseReply('{"actor":{"name":"Ada"},"parent":{"isDeleted":false}}', never)).toEqual({
    actor: { name: 'Ada' },
    parent: { isDeleted: false },
  });
});
