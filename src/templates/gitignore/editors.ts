/** Patterns for files that are not source code, by editor. */
export const editors: Readonly<Record<string, string>> = {
  Eclipse: `.metadata
bin/
tmp/
*.tmp
*.bak
*.swp
*~.nib
local.properties
.settings/
.loadpath
.recommenders
.externalToolBuilders/
*.launch
.factorypath
.buildpath
.project
.classpath
`,

  Emacs: `*~
\\#*\\#
.\\#*
/.emacs.desktop
/.emacs.desktop.lock
*.elc
auto-save-list
tramp
.org-id-locations
*_archive
*_flymake.*
/eshell/history
/eshell/lastdir
/elpa/
*.rel
/auto/
.cask/
.projectile
.dir-locals-2.el
`,

  JetBrains: `# Settings of one user
.idea/**/workspace.xml
.idea/**/tasks.xml
.idea/**/usage.statistics.xml
.idea/**/dictionaries
.idea/**/shelf
.idea/**/aws.xml
.idea/**/contentModel.xml

# Data sources, which hold addresses and names
.idea/**/dataSources/
.idea/**/dataSources.ids
.idea/**/dataSources.local.xml
.idea/**/sqlDataSources.xml
.idea/**/dynamic.xml
.idea/**/uiDesigner.xml
.idea/**/dbnavigator.xml

# What is built
cmake-build-*/
out/
*.iws
.idea_modules/
atlassian-ide-plugin.xml
fabric.properties
.idea/httpRequests
.idea/caches/
`,

  SublimeText: `*.tmlanguage.cache
*.tmPreferences.cache
*.stTheme.cache
*.sublime-workspace
sftp-config.json
sftp-config-alt*.json
GitHub.sublime-settings
`,

  Vim: `[._]*.s[a-v][a-z]
[._]*.sw[a-p]
[._]s[a-rt-v][a-z]
[._]ss[a-gi-z]
[._]sw[a-p]
!*.svg
Session.vim
Sessionx.vim
.netrwhist
*~
tags
[._]*.un~
`,

  VisualStudioCode: `.vscode/*
!.vscode/settings.json
!.vscode/tasks.json
!.vscode/launch.json
!.vscode/extensions.json
!.vscode/*.code-snippets
.history/
*.vsix
`,

  Xcode: `xcuserdata/
*.xcuserstate
*.xcscmblueprint
*.xccheckout
*.moved-aside
DerivedData/
build/
*.hmap
`,
};
