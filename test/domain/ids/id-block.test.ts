import { IdBlock, type IdBlockCommand, type IdBlockEvent } from '../../../src/domain/ids/id-block.js';
import { specification } from '../../support/specification.js';

const at = '2026-01-01T00:00:00Z';
const reserve = (size: number): IdBlockCommand => ({
  type: 'ReserveIdBlock',
  data: { kind: 'account', size, at },
});
const reserved = (first: number, last: number): IdBlockEvent => ({
  type: 'IdBlockReserved',
  data: { kind: 'account', first, last, reservedAt: at },
});

describe('IdBlock', () => {
  const { given } = specification(IdBlock);

  it('begins at 1', () => {
    given().when(reserve(100)).then(reserved(1, 100));
  });
  it('goes on after the last block, whatever its size', () => {
    given(reserved(1, 100), reserved(101, 105)).when(reserve(10)).then(reserved(106, 115));
  });
});
