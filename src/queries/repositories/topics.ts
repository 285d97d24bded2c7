import type { Queryable } from '../../database/queryable.js';
import { fragment, sql } from '../../database/sql.js';
import { count } from '../count.js';
import type { Paged, PageRequest } from '../page.js';
import { visibleTo, type RepositoryViewer } from './access.js';

/** A topic of at least one repository that the viewer sees. */
export interface TopicRow {
  /** Derived from the name, so that it never changes. */
  readonly id: number;
  readonly topic: string;
  /** The number of repositories with the topic that the viewer may see. */
  readonly repositories: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** Lists the topics that contain a text, the most used first. */
export const searchTopics = (
  db: Queryable,
  text: string,
  viewer: RepositoryViewer,
  { limit, offset }: PageRequest,
): Promise<Paged<TopicRow>> => {
  const found = fragment`
    from repository_topics t join repositories r on r.id = t.repository_id
    where position(${text.toLowerCase()} in t.topic) > 0 and ${visibleTo(viewer)}`;
  return Promise.all([
    db.rows<TopicRow>(sql`
      select ('x' || left(md5(t.topic), 12))::bit(48)::int8 as id, t.topic, count(*) as repositories,
        min(t.added_at) as created_at, max(t.added_at) as updated_at
      ${found} group by t.topic order by count(*) desc, t.topic limit ${limit} offset ${offset}`),
    count(db, fragment`from (select distinct t.topic ${found}) topics`),
  ]);
};
