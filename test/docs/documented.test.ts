import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

describe('what a file exports', () => {
  for (const folder of ['src', 'projections'])
    it(`is told of, every type and function of ${folder}`, () => {
      const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
      const untold = files
        .filter((file) => file.endsWith('.ts'))
        .flatMap((file) => undocumented(join(folder, file)));
      expect(untold).to.deep.equal([]);
    });
});

/** The exported types and functions of a file that have no doc comment. */
function undocumented(file: string): string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(ROOT, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  return source.statements.filter(isUntold).map((statement) => {
    const { line } = source.getLineAndCharacterOfPosition(statement.getStart());
    return `${file}:${line + 1}`;
  });
}

/** Whether a statement exports a type or a function without a word about it; the first of several overloads speaks for all. */
function isUntold(statement: ts.Statement, index: number, all: readonly ts.Statement[]): boolean {
  if (!isTypeOrFunction(statement) || ts.getJSDocCommentsAndTags(statement).length > 0) return false;
  const before = all[index - 1];
  const isOverload =
    before !== undefined &&
    ts.isFunctionDeclaration(statement) &&
    ts.isFunctionDeclaration(before) &&
    before.name?.text === statement.name?.text;
  return !isOverload;
}

function isTypeOrFunction(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : [];
  if (!modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return false;
  if (!ts.isVariableStatement(statement))
    return (
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement)
    );
  return statement.declarationList.declarations.some(
    ({ initializer }) =>
      initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer)),
  );
}
