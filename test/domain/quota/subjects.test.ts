import { expect } from 'chai';
import { bySubjects, type QuotaSubject } from '../../../src/domain/quota/subjects.js';

describe('what has subjects', () => {
  it('is found by their set, in whichever order it lists them, and each is looked at once', () => {
    const listed: (readonly QuotaSubject[])[] = [
      ['size:git:lfs', 'size:repos:all'],
      ['size:all'],
      ['size:repos:all', 'size:git:lfs', 'size:repos:all'],
    ];
    let looks = 0;
    const found = bySubjects(
      listed.map((subjects, index) => ({
        index,
        get subjects() {
          looks += 1;
          return subjects;
        },
      })),
    );
    const indices = (...subjects: QuotaSubject[]) => found(subjects).map(({ index }) => index);
    expect(indices('size:repos:all', 'size:git:lfs')).to.deep.equal([0, 2]);
    expect(indices('size:all')).to.deep.equal([1]);
    expect(indices('size:git:lfs')).to.deep.equal([]);
    expect(looks).to.equal(listed.length);
  });
});
