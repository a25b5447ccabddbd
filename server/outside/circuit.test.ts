import { expect, it } from 'vitest';
import { createCircuit } from './circuit.ts';

function opened() {
  const clock = { at: 0 };
  const circuit = createCircuit({ failures: 3, pauseMs: 1000, now: () => clock.at });
  for (let call = 0; call < 3; call++) {
    expect(circuit.admits()).toBe(true);
    circuit.failed();
  }
  return { clock, circuit };
}

it('opens after failures in a row, and a success in between starts the count again', () => {
  const { circuit } = opened();
  expect(circuit.admits()).toBe(false);
  const other = createCircuit({ failures: 2, pauseMs: 1000, now: () => 0 });
  other.failed();
  other.succeeded();
  other.failed();
  expect(other.admits()).toBe(true);
});

it('lets one call try after the pause', () => {
  const { clock, circuit } = opened();
  clock.at = 999;
  expect(circuit.admits()).toBe(false);
  clock.at = 1000;
  expect([circuit.admits(), circuit.admits()]).toEqual([true, false]);
  circuit.succeeded();
  expect([circuit.admits(), circuit.admits()]).toEqual([true, true]);
});

it('waits again when that call fails, and lets another try when it was given up', () => {
  const { clock, circuit } = opened();
  clock.at = 1000;
  expect(circuit.admits()).toBe(true);
  circuit.failed();
  clock.at = 1999;
  expect(circuit.admits()).toBe(false);
  clock.at = 2000;
  expect(circuit.admits()).toBe(true);
  circuit.ended();
  expect(circuit.admits()).toBe(true);
});
