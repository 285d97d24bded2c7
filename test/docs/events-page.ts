import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { eventTypes } from '../../src/event-log/event-types.js';
import { personalFields } from '../../src/event-log/personal-fields.js';

interface Field {
  readonly name: string;
  readonly type: string;
  readonly optional: boolean;
}

/** The text of docs/events.md: every type of event with its fields, read from the declarations themselves. */
export function eventsPage(root: string): string {
  const program = domainOf(root);
  const declared = declaredEvents(program);
  const sections = Object.entries(eventTypes).map(([type, { categories, version }]) => {
    const fields = declared.get(type);
    if (!fields) throw new Error(`${type} is registered and not declared in src/domain`);
    const personal = personalFields[type]?.fields ?? [];
    return [
      `### ${type}`,
      '',
      `Streams: ${categories.map((category) => `\`${category}-…\``).join(', ')}. Version ${version}.`,
      '',
      '| field | type | |',
      '|---|---|---|',
      ...fields.map(({ name, type: text, optional }) => {
        const notes = [optional ? 'optional' : '', personal.includes(name) ? 'personal' : ''].filter(Boolean);
        return `| \`${name}\` | \`${text.replaceAll('|', '\\|')}\` | ${notes.join(', ')} |`;
      }),
      '',
    ].join('\n');
  });
  const types = Object.keys(eventTypes).flatMap(
    (type) => declared.get(type)?.map((field) => field.type) ?? [],
  );
  return [INTRODUCTION, ...sections, SHAPES, ...shapesIn(types, program)].join('\n');
}

const INTRODUCTION = `# Events

Made by \`npm run docs\` from the declarations in \`src/domain\`; a test compares it with them.

Every change is an event in exactly one stream, named \`category-id\`. Facts about limits and bytes are strings of
digits, because JSON numbers are not exact beyond 2^53. Fields marked *personal* are encrypted in the log under the
person's own key and read as null once that key was shredded. Fields may be added, never renamed or removed; a new shape
is a new version, and an upcaster lifts the old one when it is read.

## Metadata

Every event carries, beside its data:

| field | meaning |
|---|---|
| \`actor\` | who did it: the account's id, and its name at the time (personal); absent where the system itself did |
| \`publicOnly\` | true if that was by a token that reaches only what is public; absent otherwise |
| \`$correlationId\` | the command that began it all, whose steps and consequences share it |
| \`$causationId\` | the command that gave this event |
| \`requestId\` | the request that appended it, as in the log lines and in the answer's \`X-Request-Id\`; absent where another process did, such as the dispatcher |
| \`at\` | when the command was taken |
| \`schemaVersion\` | the version of \`data\` |

An event's id is a UUIDv5 of its command's id, its stream and its index, so that a command repeated gives the same ids
and is recorded once.

## Types
`;

const SHAPES = `## Shapes

What the types above name, as \`src/domain\` declares it.
`;

/** The sources of the domain, which declare all events and what they are made of. */
interface Domain {
  readonly checker: ts.TypeChecker;
  readonly statements: readonly ts.Statement[];
}

function domainOf(root: string): Domain {
  const files = sourceFiles(join(root, 'src/domain'));
  const program = ts.createProgram(files, {
    strict: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    types: [],
    skipLibCheck: true,
  });
  const sources = files.flatMap((file) => program.getSourceFile(file) ?? []);
  return {
    checker: program.getTypeChecker(),
    statements: sources.flatMap(({ statements }) => [...statements]),
  };
}

function declaredEvents({ checker, statements }: Domain): ReadonlyMap<string, readonly Field[]> {
  const events = new Map<string, readonly Field[]>();
  for (const statement of statements) {
    if (!ts.isTypeAliasDeclaration(statement) || !statement.name.text.endsWith('Event')) continue;
    const declared = checker.getTypeAtLocation(statement);
    for (const member of declared.isUnion() ? declared.types : [declared]) {
      const event = describe(checker, member, statement);
      if (event) events.set(event.type, event.fields);
    }
  }
  return events;
}

/** Returns the declarations of what these types name, and of what those name in turn, by name. */
function shapesIn(types: readonly string[], { checker, statements }: Domain): readonly string[] {
  const shapes = new Map<string, string>();
  const pending = [...types];
  for (let text = pending.pop(); text !== undefined; text = pending.pop())
    for (const [name] of text.matchAll(/\b[A-Z]\w+/g)) {
      const [declaration, ...others] = statements.filter(
        (statement) =>
          (ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement)) &&
          statement.name.text === name,
      );
      if (!declaration || shapes.has(name)) continue;
      if (others.length > 0) throw new Error(`more than one ${name} is declared in src/domain`);
      shapes.set(name, written(checker, name, declaration));
      pending.push(declaration.getText());
    }
  return [...shapes]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, text]) => [`### ${name}`, '', '```ts', text, '```', ''].join('\n'));
}

function describe(checker: ts.TypeChecker, event: ts.Type, at: ts.Node) {
  const [type, data] = ['type', 'data'].map((name) => {
    const property = event.getProperty(name);
    return property && checker.getTypeOfSymbolAtLocation(property, at);
  });
  if (!type?.isStringLiteral() || !data) return undefined;
  const fields = checker.getPropertiesOfType(data).map((property): Field => {
    const optional = (property.flags & ts.SymbolFlags.Optional) !== 0;
    const fieldType = checker.getTypeOfSymbolAtLocation(property, at);
    return {
      name: property.name,
      type: checker.typeToString(
        optional ? checker.getNonNullableType(fieldType) : fieldType,
        undefined,
        ts.TypeFormatFlags.NoTruncation,
      ),
      optional,
    };
  });
  return { type: type.value, fields };
}

/** Returns a declaration as its source has it or, where that only refers to a constant, all values that there are. */
function written(checker: ts.TypeChecker, name: string, declaration: ts.Statement): string {
  const text = declaration.getText().replace(/^export /, '');
  if (!/\btypeof\b/.test(text)) return text;
  const type = checker.getTypeAtLocation(declaration);
  const values = (type.isUnion() ? type.types : [type]).map((value) => checker.typeToString(value));
  return [`type ${name} =`, ...values.map((value) => `  | ${value}`)].join('\n').concat(';');
}

const sourceFiles = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
