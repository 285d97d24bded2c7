/** Patterns for files that are not source code, by framework or tool. */
export const tools: Readonly<Record<string, string>> = {
  Android: `# Gradle
.gradle/
build/

# Settings of one machine
local.properties
*.iml
.idea/
misc.xml
deploymentTargetDropDown.xml
render.experimental.xml

# Packages and native builds
*.apk
*.aab
*.ap_
*.dex
output-metadata.json
.cxx/
.externalNativeBuild/

# Keys and services
*.jks
*.keystore
google-services.json

# Logs and profiles
*.log
*.hprof
captures/
lint/tmp/
`,

  CMake: `CMakeLists.txt.user
CMakeCache.txt
CMakeFiles/
CMakeScripts/
CMakeUserPresets.json
Testing/
Makefile
cmake_install.cmake
install_manifest.txt
compile_commands.json
CTestTestfile.cmake
_deps/
build/
cmake-build-*/
`,

  CSharp: `# What is built
[Bb]in/
[Oo]bj/
[Dd]ebug/
[Rr]elease/
[Ll]ogs/
*.dll
*.exe
*.pdb
*.nupkg
*.snupkg
artifacts/
publish/

# Tests
[Tt]est[Rr]esult*/
*.trx
*.coverage
*.coveragexml

# Settings of one user
.vs/
*.user
*.suo
*.userosscache
*.DotSettings.user
_ReSharper*/
`,

  Godot: `.godot/
.import/
export.cfg
export_credentials.cfg
*.translation
.mono/
data_*/
mono_crash.*.json
`,

  Gradle: `.gradle/
**/build/
!**/src/**/build/
gradle-app.setting
!gradle-wrapper.jar
!gradle-wrapper.properties
.gradletasknamecache
.project
.classpath
`,

  Hugo: `public/
resources/_gen/
assets/jsconfig.json
hugo_stats.json
hugo.exe
hugo.darwin
hugo.linux
.hugo_build.lock
`,

  Jekyll: `_site/
.sass-cache/
.jekyll-cache/
.jekyll-metadata
.bundle/
vendor/
`,

  Laravel: `vendor/
node_modules/
npm-debug.log
yarn-error.log
public/build
public/hot
public/storage
storage/*.key
storage/pail
bootstrap/cache/*
!bootstrap/cache/.gitignore
.env
.env.backup
.env.production
.phpunit.result.cache
.phpactor.json
Homestead.json
Homestead.yaml
auth.json
`,

  Maven: `target/
pom.xml.tag
pom.xml.releaseBackup
pom.xml.versionsBackup
pom.xml.next
release.properties
dependency-reduced-pom.xml
buildNumber.properties
.mvn/timing.properties
.mvn/wrapper/maven-wrapper.jar
`,

  Nix: `result
result-*
.direnv/
`,

  Rails: `.bundle/
vendor/bundle/
log/*
tmp/*
!log/.keep
!tmp/.keep
storage/*
!storage/.keep
db/*.sqlite3
db/*.sqlite3-*
public/assets/
public/packs/
public/uploads/
node_modules/
coverage/
config/master.key
config/credentials/*.key
.byebug_history
.env*
!.env*.erb
`,

  Terraform: `# Plug-ins and state
.terraform/
*.tfstate
*.tfstate.*
*.tfplan

# Crashes
crash.log
crash.*.log

# Values, which often are secrets
*.tfvars
*.tfvars.json

# What overrides on one machine
override.tf
override.tf.json
*_override.tf
*_override.tf.json
.terraform.tfstate.lock.info
.terraformrc
terraform.rc
`,

  Unity: `[Ll]ibrary/
[Tt]emp/
[Oo]bj/
[Bb]uild/
[Bb]uilds/
[Ll]ogs/
[Uu]ser[Ss]ettings/
[Mm]emory[Cc]aptures/
[Rr]ecordings/
ExportedObj/
*.csproj
*.unityproj
*.sln
*.suo
*.user
*.pidb
*.booproj
*.svd
*.pdb
*.mdb
*.opendb
*.VC.db
*.apk
*.aab
*.unitypackage
sysinfo.txt
crashlytics-build.properties
`,

  VisualStudio: `# Settings of one user
*.rsuser
*.suo
*.user
*.userosscache
*.sln.docstates
.vs/

# What is built
[Dd]ebug/
[Rr]elease/
x64/
x86/
[Aa][Rr][Mm]/
[Aa][Rr][Mm]64/
[Bb]in/
[Oo]bj/
[Ll]og/
[Ll]ogs/
*.pdb
*.pgc
*.pgd
*.ilk
*.obj
*.pch
*.sbr
*.tlb
*.tli
*.tlh
*.tmp
*.tmp_proj
*.binlog
*.vspscc
*.vssscc

# NuGet and publishing
*.nupkg
*.snupkg
**/[Pp]ackages/*
!**/[Pp]ackages/build/
project.lock.json
project.fragment.lock.json
artifacts/
publish/
*.pubxml
*.publishproj
PublishScripts/

# Tests and coverage
[Tt]est[Rr]esult*/
[Bb]uild[Ll]og.*
*.trx
*.coverage
*.coveragexml
coverage*.json
coverage*.xml
BenchmarkDotNet.Artifacts/

# Tools
_ReSharper*/
*.[Rr]e[Ss]harper
*.DotSettings.user
.idea/
_TeamCity*
*.dotCover
.axoCover/*
.paket/paket.exe
paket-files/
.fake/
.localhistory/
node_modules/
`,
};
