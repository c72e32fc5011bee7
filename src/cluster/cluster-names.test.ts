import { expect, it } from 'vitest';
import { clusterNames } from './cluster-names.ts';

// During an upgrade processes of two versions speak to each other.
it('the names of an exchange on a NATS server are the same in every version', () => {
  const names = clusterNames('0123');
  expect({
    ...names,
    submitSubject: names.submitSubject(7),
    packSubject: names.packSubject(7),
    aliveSubject: names.aliveSubject('a1'),
    replySubject: names.replySubject('a1'),
  }).toEqual({
    stream: 'openbourse-0123',
    logSubject: 'openbourse.0123.log',
    tailSubject: 'openbourse.0123.tail',
    rollSubject: 'openbourse.0123.roll',
    repliesSubject: 'openbourse.0123.replies',
    reportSubject: 'openbourse.0123.held',
    countsSubject: 'openbourse.0123.counts',
    changesSubject: 'openbourse.0123.changes',
    operatorSubject: 'openbourse.0123.operator',
    snapshotBucket: 'openbourse-0123-snapshots',
    bucket: 'openbourse-0123',
    submitSubject: 'openbourse.0123.submit.7',
    packSubject: 'openbourse.0123.submits.7',
    aliveSubject: 'openbourse.0123.alive.a1',
    replySubject: 'openbourse.0123.reply.a1',
  });
});
