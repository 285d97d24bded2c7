/** A label, of a repository or of an organization. */
export interface LabelRow {
  readonly id: number;
  readonly name: string;
  readonly color: string;
  readonly description: string;
  readonly exclusive: boolean;
  readonly is_archived: boolean;
}
