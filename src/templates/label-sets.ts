/** A label of a label set. */
export interface LabelTemplate {
  /** Labels with the same scope, the part before a slash, are alternatives. */
  readonly name: string;
  /** Six hex digits. */
  readonly color: string;
  readonly description: string;
  /** Whether an issue can have at most one label of this scope. */
  readonly exclusive: boolean;
}

const label = (name: string, color: string, description: string): LabelTemplate => ({
  name,
  color,
  description,
  exclusive: false,
});

const choice = (name: string, color: string, description: string): LabelTemplate => ({
  name,
  color,
  description,
  exclusive: true,
});

const sets = new Map<string, readonly LabelTemplate[]>([
  [
    'Default',
    [
      label('bug', 'ee0701', 'Something does not work as it should'),
      label('duplicate', 'cccccc', 'Another issue says the same'),
      label('enhancement', '84b6eb', 'Something new, or better than before'),
      label('help wanted', '128a0c', 'Whoever takes this on is welcome'),
      label('invalid', 'e6e6e6', 'There is nothing to be done here'),
      label('question', 'cc317c', 'More has to be known first'),
      label('wontfix', 'ffffff', 'This stays as it is'),
    ],
  ],
  [
    'Advanced',
    [
      label('Compat/Breaking', 'c62828', 'Those who use it have to change something'),
      label('Kind/Bug', 'ee0701', 'Something does not work as it should'),
      label('Kind/Documentation', '37474f', 'What is written about it'),
      label('Kind/Enhancement', '84b6eb', 'Better than before'),
      label('Kind/Feature', '0288d1', 'Something new'),
      label('Kind/Security', '9c27b0', 'Somebody could do harm with this'),
      label('Kind/Testing', '795548', 'How it is tested'),
      choice('Priority/Critical', 'b71c1c', 'Before everything else'),
      choice('Priority/High', 'd32f2f', 'Soon'),
      choice('Priority/Medium', 'e64a19', 'In its turn'),
      choice('Priority/Low', '4caf50', 'When there is time'),
      choice('Reviewed/Confirmed', '795548', 'Somebody else has seen it too'),
      choice('Reviewed/Duplicate', '616161', 'Another issue says the same'),
      choice('Reviewed/Invalid', '546e7a', 'There is nothing to be done here'),
      choice("Reviewed/Won't Fix", 'eeeeee', 'This stays as it is'),
      choice('Status/Abandoned', '222222', 'Nobody works on it any more'),
      choice('Status/Blocked', '880e4f', 'Something else has to be done first'),
      choice('Status/Need More Info', '424242', 'Whoever wrote it is asked for more'),
    ],
  ],
]);

/** The names of all sets, in alphabetical order. */
export const labelSetNames: readonly string[] = [...sets.keys()].sort();

/** Returns the label set of that exact name; undefined if there is none. */
export const findLabelSet = (name: string): readonly LabelTemplate[] | undefined => sets.get(name);
