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

it('opens after consecutive failures, and a success resets the count', () => {
  const { circuit } = opened();
  expect(circuit.admits()).toBe(false);
  const other = createCircuit({ failures: 2, pauseMs: 1000, now: () => 0 });
  other.failed();
  other.succeeded();
  other.failed();
  expect(other.admits()).toBe(true);
});

it('admits one probe call after the pause', () => {
  const { clock, circuit } = opened();
  clock.at = 999;
  expect(circuit.admits()).toBe(false);
  clock.at = 1000;
  expect([circuit.admits(), circuit.admits()]).toEqual([true, false]);
  circuit.succeeded();
  expect([circuit.admits(), circuit.admits()]).toEqual([true, true]);
});

it('pauses again when the probe fails, and admits another probe when it was cancelled', () => {
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
