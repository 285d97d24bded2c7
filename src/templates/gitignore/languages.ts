/** Patterns for files that are not source code, by language. */
export const languages: Readonly<Record<string, string>> = {
  C: `# Objects
*.o
*.ko
*.obj
*.elf
*.lo
*.slo

# Linker output
*.ilk
*.map
*.exp

# Precompiled headers
*.gch
*.pch

# Libraries
*.lib
*.a
*.la
*.dll
*.so
*.so.*
*.dylib

# Programs
*.exe
*.out
*.app
*.i*86
*.x86_64
*.hex

# Debug information
*.dSYM/
*.su
*.idb
*.pdb
*.gcno
*.gcda

# Dependencies and kernel modules
*.d
*.mod*
*.cmd
.tmp_versions/
modules.order
Module.symvers
Mkfile.old
dkms.conf
`,

  'C++': `# Objects
*.o
*.obj
*.lo
*.slo
*.d

# Precompiled headers and modules
*.gch
*.pch
*.pcm
*.mod
*.smod

# Libraries
*.a
*.la
*.lai
*.lib
*.so
*.so.*
*.dll
*.dylib

# Programs
*.exe
*.out
*.app

# Build folders
build/
build-*/
cmake-build-*/

# Debug information and reports
*.dSYM/
*.ilk
*.pdb
*.gcno
*.gcda
compile_commands.json
.cache/
`,

  Dart: `# Packages and tools
.dart_tool/
.packages
.pub-cache/
.pub/
build/
.flutter-plugins
.flutter-plugins-dependencies

# Documentation and coverage
doc/api/
coverage/

# What is compiled to JavaScript
*.js_
*.js.deps
*.js.map
`,

  Elixir: `# What mix builds and fetches
_build/
cover/
deps/
doc/
.fetch
.elixir_ls/

# Crashes and archives
erl_crash.dump
*.ez
*.beam

# Secrets
config/*.secret.exs
`,

  Erlang: `.eunit
*.o
*.beam
*.plt
erl_crash.dump
.concrete/DEV_MODE
.rebar
.rebar3
_build/
_checkouts/
rel/example_project
ebin/*.beam
deps/
`,

  Go: `# Programs and libraries
*.exe
*.exe~
*.dll
*.so
*.dylib
bin/

# Tests
*.test
*.out
*.prof
coverage.*

# Workspaces of one machine
go.work
go.work.sum

# Settings of one machine
.env
`,

  Haskell: `dist/
dist-*/
cabal-dev/
*.o
*.hi
*.hie
*.dyn_o
*.dyn_hi
*.chi
*.chs.h
*.prof
*.aux
*.hp
*.eventlog
.hpc
.hsenv
.stack-work/
.cabal-sandbox/
cabal.sandbox.config
cabal.project.local
cabal.project.local~
.ghc.environment.*
`,

  Java: `# Classes and archives
*.class
*.jar
*.war
*.ear
*.nar
*.zip
*.tar.gz
*.rar

# Logs and crash dumps
*.log
hs_err_pid*
replay_pid*
*.hprof

# BlueJ
*.ctxt

# Mobile tools
.mtj.tmp/
`,

  Julia: `*.jl.cov
*.jl.*.cov
*.jl.mem
deps/deps.jl
deps/build.log
docs/build/
docs/site/
Manifest.toml
`,

  Kotlin: `# Classes and archives
*.class
*.jar
*.war
*.ear
*.nar
*.zip
*.tar.gz
*.rar

# Logs and crash dumps
*.log
hs_err_pid*
replay_pid*
*.hprof

# BlueJ
*.ctxt

# Mobile tools
.mtj.tmp/

# The compiler
.kotlin/
`,

  Lua: `# Compiled chunks
luac.out
*.luac

# Packages and libraries
*.src.rock
*.zip
*.tar.gz
*.o
*.so
*.dll
*.a
*.lib
*.exe
lua_modules/
.luarocks/
`,

  Node: `# Installed packages
node_modules/
jspm_packages/
web_modules/

# What is built
dist/
build/
out/
.next/
.nuxt/
.output/
.svelte-kit/
.parcel-cache/
.turbo/
*.tsbuildinfo

# Caches
.npm/
.eslintcache
.stylelintcache
.cache/
.rollup.cache/
.rpt2_cache/

# Package managers
.pnpm-store/
.yarn/*
!.yarn/patches
!.yarn/plugins
!.yarn/releases
!.yarn/sdks
!.yarn/versions
.pnp.*
*.tgz

# Logs and reports
logs/
*.log
npm-debug.log*
yarn-debug.log*
yarn-error.log*
pnpm-debug.log*
report.*.json
coverage/
.nyc_output/
*.lcov

# Settings of one machine
.env
.env.*
!.env.example
*.pid
*.pid.lock
`,

  OCaml: `*.annot
*.cmo
*.cma
*.cmi
*.cmx
*.cmxs
*.cmxa
*.cmt
*.cmti
*.a
*.o
*.install
.merlin
_build/
_opam/
setup.data
setup.log
`,

  'Objective-C': `# Xcode
xcuserdata/
*.xcuserstate
build/
DerivedData/
*.moved-aside
*.hmap
*.ipa
*.dSYM.zip
*.dSYM

# CocoaPods and Carthage
Pods/
Carthage/Build/
`,

  PHP: `# Composer
vendor/
composer.phar

# Tests and analysis
.phpunit.cache/
.phpunit.result.cache
.php-cs-fixer.cache
.phpstan/
clover.xml
coverage/

# Settings and logs of one machine
.env
.env.local
.env.*.local
*.log
*.cache
`,

  Perl: `blib/
_build/
.build/
cover_db/
inc/
!Build/
Build
Build.bat
Makefile
Makefile.old
MANIFEST.bak
META.yml
META.json
MYMETA.*
pm_to_blib
nytprof.out
*.o
*.bs
local/
`,

  Python: `# Byte code and extensions
__pycache__/
*.py[cod]
*$py.class
*.so

# Packaging
build/
dist/
sdist/
wheels/
develop-eggs/
.eggs/
*.egg-info/
*.egg
MANIFEST
pip-log.txt

# Environments
.venv/
venv/
env/
.env
.python-version

# Tests and analysis
.pytest_cache/
.tox/
.nox/
.hypothesis/
.coverage
.coverage.*
coverage.xml
htmlcov/
.mypy_cache/
.ruff_cache/
.pytype/
.pyre/
.dmypy.json
cython_debug/

# Notebooks
.ipynb_checkpoints/
profile_default/
ipython_config.py

# Frameworks
*.log
local_settings.py
db.sqlite3
db.sqlite3-journal
instance/
.webassets-cache
.scrapy/
celerybeat-schedule
celerybeat.pid

# Documentation
docs/_build/
site/
`,

  R: `# Sessions
.Rhistory
.Rapp.history
.RData
.RDataTmp
.Ruserdata
.Renviron

# Projects and packages
.Rproj.user/
*-Ex.R
*.tar.gz
*.Rcheck/
packrat/lib*/
renv/library/
renv/staging/

# Documents
*_cache/
/cache/
*.utf8.md
*.knit.md
vignettes/*.html
vignettes/*.pdf
rsconnect/
`,

  Ruby: `# Gems
*.gem
.bundle/
vendor/bundle/
lib/bundler/man/

# Tests and reports
coverage/
InstalledFiles
spec/reports/
spec/examples.txt
test/tmp/
test/version_tmp/
tmp/

# Consoles and tools
.byebug_history
.irb_history
.rbenv-vars
.rvmrc
.env

# Documentation
.yardoc/
_yardoc/
doc/
rdoc/

# Rails
log/*
storage/*
config/master.key
`,

  Rust: `# What cargo builds
target/
debug/

# What rustfmt leaves
**/*.rs.bk

# Debug information of MSVC
*.pdb

# What cargo-mutants leaves
**/mutants.out*/
`,

  Scala: `# Classes and logs
*.class
*.log

# sbt and its plug-ins
target/
project/target/
project/project/
.bsp/
.bloop/
.metals/
project/metals.sbt
`,

  Swift: `# Xcode
xcuserdata/
*.xcuserstate
build/
DerivedData/
*.moved-aside
*.hmap
*.ipa
*.dSYM.zip
*.dSYM

# Playgrounds
timeline.xctimeline
playground.xcworkspace

# Swift Package Manager
.build/
.swiftpm/
Packages/

# CocoaPods and Carthage
Pods/
Carthage/Build/

# fastlane
fastlane/report.xml
fastlane/Preview.html
fastlane/screenshots/**/*.png
fastlane/test_output
`,

  TeX: `# What a run leaves
*.aux
*.lof
*.log
*.lot
*.fls
*.out
*.toc
*.fmt
*.fot
*.cb
*.cb2
*.lb
*.synctex
*.synctex.gz
*.synctex(busy)
*.fdb_latexmk

# What is made of it
*.dvi
*.xdv
*-converted-to.*

# Bibliographies, indexes, glossaries
*.bbl
*.bcf
*.blg
*.run.xml
*.idx
*.ilg
*.ind
*.acn
*.acr
*.glg
*.glo
*.gls
*.ist

# Slides and listings
*.nav
*.snm
*.vrb
*.pyg
_minted*/
`,

  Zig: `.zig-cache/
zig-cache/
zig-out/
`,
};
